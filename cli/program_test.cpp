// The program from outside: what it says, where, and with which exit status.
#include <boost/json/parse.hpp>

#include "cli/testing/program_run.hpp"

namespace leaselab::cli {
namespace {

using namespace testing;

class program : public program_run {};

TEST_F(program, says_what_it_is) {
  EXPECT_EQ(run("--version").text.rfind("leaselab ", 0), 0u);
  EXPECT_EQ(run("--help").status, 0);
  EXPECT_EQ(run("check --help").status, 0);
  EXPECT_EQ(run("").status, 3);
}

// It needs nothing from anywhere, and says what it is about.
void expect_one_page(const std::string& page, const std::string& words) {
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
  EXPECT_NE(page.find("</html>"), std::string::npos);
  for (const char* outside : {"src=", "href=\"h", "url(", "@import", "<script", "<link"})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_NE(page.find(words), std::string::npos) << words;
}

TEST_F(program, scores_a_mutant_and_says_which_survives) {
  const auto killed =
      run("score --mutant M01 --mutant N13 --schedules 60 --seed 1 --json score.json --html s.html "
          "--junit s.xml");
  EXPECT_EQ(killed.status, 1) << killed.error;
  const auto score = boost::json::parse(text_of(folder_ / "score.json")).as_object();
  const auto& first = score.at("mutants").at(0);
  EXPECT_EQ(first.at("id"), "M01");
  EXPECT_TRUE(first.at("killed").as_bool());
  EXPECT_EQ(first.at("property"), "release.owner_only");
  EXPECT_EQ(run("replay " + std::string(first.at("trace").as_string())).status, 0);
  const auto& n13 = score.at("mutants").at(1);
  EXPECT_EQ(n13.at("id"), "N13");
  EXPECT_FALSE(n13.at("killed").as_bool());
  EXPECT_TRUE(n13.at("trace").is_null());
  EXPECT_NE(killed.text.find("N13  survives"), std::string::npos) << killed.text;
  expect_one_page(text_of(folder_ / "s.html"), ">survives</span>");
  EXPECT_NE(text_of(folder_ / "s.xml").find("<failure message=\"survives 60 schedules\">"),
            std::string::npos);
  EXPECT_EQ(run("score --mutant M01 --schedules 50 --seed 1").status, 0);
}

TEST_F(program, refuses_what_it_does_not_know_in_one_line) {
  expect_refused(run("score --mutant M99"), "there is no mutant `M99`");
  expect_refused(run("score --seeds 0"), "--seeds");
  expect_refused(run("chek"), "did you mean `check`?");
  expect_refused(run("check --schedule 3"), "did you mean `--schedules`?");
  expect_refused(run("check -p rediss"), "there is no provider `rediss`; did you mean `redis`?");
  expect_refused(run("check -p mutant:M00"), "there is no provider `mutant:M00`");
  expect_refused(run("check -g 'handof.*'"), "there is no property `handof.*`");
  expect_refused(run("check -f choas"), "did you mean `chaos`?");
  expect_refused(run("check --workload contnd"), "did you mean `contend`?");
  expect_refused(run("check --strategy randm"), "random");
  expect_refused(run("check --engine modle"), "did you mean `model`?");
  expect_refused(run("check --seed -1"), "--seed");
  expect_refused(run("check --jobs 0"), "--jobs: `0` is no whole number from 1 to 1024");
  expect_refused(run("list provider"), "did you mean `providers`?");
}

TEST_F(program, refuses_places_that_it_cannot_write) {
  write("file", "");
  expect_refused(small_check("--out file/out"), "cannot write");
  expect_refused(small_check("--json /proc/none/x.json"), "cannot write");
  expect_refused(small_check("--json ."), "Is a directory");
  const ended full = small_check("--json /dev/full");
  EXPECT_EQ(full.status, 3);
  EXPECT_NE(full.error.find("cannot write /dev/full: No space left on device"), std::string::npos);
  const int status = std::system("'" LEASELAB_PROGRAM "' list >/dev/full 2>/dev/null");
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST_F(program, refuses_odd_traces_in_one_line) {
  expect_refused(run("replay latest"), "no `leaselab-out`");
  expect_refused(run("replay absent.jsonl"), "absent.jsonl");
  expect_refused(run("replay ."), "there is no trace in .");
  write("empty.jsonl", "");
  expect_refused(run("replay empty.jsonl"), "empty.jsonl: is empty");
  write("binary.jsonl", std::string("\x7f"
                                    "ELF\0\xff\n\n",
                                    8));
  expect_refused(run("replay binary.jsonl"), "binary.jsonl:1: not a JSON object");
  write("other.jsonl", "{\"a\":1}\n{\"b\":2}\n");
  expect_refused(run("replay other.jsonl"), "other.jsonl:1: not the header of a leaselab trace");
}

TEST_F(program, refuses_odd_scenarios_in_one_line) {
  expect_refused(run("run absent.toml"), "absent.toml");
  fs::create_directory(folder_ / "none");
  expect_refused(run("run none"), "none");
  write("odd.toml", "schema = 1\ntitel = \"x\"\n");
  expect_refused(run("run odd.toml"), "odd.toml:2");
  write("binary.toml", std::string("\0\xff\xfe", 3));
  expect_refused(run("run binary.toml"), "binary.toml");
}

TEST_F(program, a_witness_replays_and_a_changed_one_diverges) {
  ASSERT_EQ(small_check().status, 0);
  const ended again = run("replay latest/release-then-acquire/handoff.no_gap");
  EXPECT_EQ(again.status, 0) << again.text << again.error;
  EXPECT_NE(again.text.find("same digest"), std::string::npos);
  EXPECT_EQ(run("replay latest").status, 0);
  EXPECT_NE(run("replay latest --until 3").text.find("the same up to line 3"), std::string::npos);

  std::string text = text_of(folder_ / "leaselab-out/latest/first.jsonl");
  const auto line = text.find("\n{\"t_ns\":") + 1;
  text.insert(line + 8, "9");
  write("changed.jsonl", text);
  const ended changed = run("replay changed.jsonl");
  EXPECT_EQ(changed.status, 4);
  EXPECT_NE(changed.text.find("diverged at line 2"), std::string::npos) << changed.text;
  write("cut.jsonl", text.substr(0, text.size() / 2));
  expect_refused(run("replay cut.jsonl"), "cut.jsonl:");
}

TEST_F(program, two_traces_differ_where_one_was_changed) {
  ASSERT_EQ(small_check().status, 0);
  std::string text = text_of(folder_ / "leaselab-out/latest/first.jsonl");
  text.insert(text.rfind("\n{\"t_ns\":") + 9, "9");
  write("changed.jsonl", text);
  EXPECT_EQ(run("diff latest latest").status, 0);
  const ended got = run("diff latest changed.jsonl");
  EXPECT_EQ(got.status, 1);
  EXPECT_NE(got.text.find("\n+ "), std::string::npos);
  expect_refused(run("diff latest"), "TRACE TRACE is missing");
}

TEST_F(program, both_engines_give_one_digest) {
  const auto digest = [&](const std::string& engine) {
    const ended got =
        run("check -p redis-three-step -f interleave --schedules 100 --seed 1 "
            "--json - --engine " +
            engine);
    return std::string(boost::json::parse(got.text).as_object().at("digest").as_string());
  };
  EXPECT_EQ(digest("server"), digest("model"));
  EXPECT_EQ(run("replay latest").status, 0);
}

TEST_F(program, explains_a_witness_in_twelve_lines) {
  ASSERT_EQ(small_check().status, 0);
  const ended got = run("explain latest --mermaid --perfetto p.json --json e.json");
  EXPECT_EQ(got.status, 0) << got.error;
  EXPECT_NE(got.text.find("  => handoff.no_gap is violated: "), std::string::npos) << got.text;
  EXPECT_NE(got.text.find("\n```mermaid\nsequenceDiagram\n"), std::string::npos);
  const auto told = boost::json::parse(text_of(folder_ / "e.json")).as_object();
  EXPECT_LE(told.at("story").as_array().size(), 11u);
  EXPECT_TRUE(told.at("critical").at("found").is_bool());
  const auto picture = boost::json::parse(text_of(folder_ / "p.json")).as_object();
  EXPECT_GT(picture.at("traceEvents").as_array().size(), 10u);
  EXPECT_EQ(run("explain latest").text, run("explain latest").text);
  expect_refused(run("explain absent.jsonl"), "absent.jsonl");
  expect_refused(run("explain latest --perfetto ."), "Is a directory");
}

// The command that explain ends with, as a shell reads it: what follows `word`.
std::string words_after(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  if (at == std::string::npos) return "absent";
  return text.substr(at, text.find('\n', at) - at);
}

TEST_F(program, explains_a_witness_beside_the_nearest_run_that_passes) {
  ASSERT_EQ(run("check -p mutant:M05 -f interleave -g single_owner.grant --schedules 200 --seed 1")
                .status,
            1);
  const ended told = run("explain latest --json e.json");
  const ended parted = run(words_after(told.text, "diff "));
  EXPECT_EQ(parted.status, 1) << told.text << parted.error;
  EXPECT_NE(parted.text.find("\n+ "), std::string::npos) << parted.text;
  const auto report = boost::json::parse(text_of(folder_ / "e.json")).as_object();
  const std::string passing(report.at("passing").as_string());
  EXPECT_EQ(run("replay " + passing).status, 0);
  EXPECT_NE(run("explain " + passing).text.find("nothing is violated"), std::string::npos);
  EXPECT_EQ(run("replay latest").status, 0);  // it is no run of its own

  fs::copy_file(folder_ / "leaselab-out/latest/first.jsonl", folder_ / "elsewhere.jsonl");
  const ended elsewhere = run("explain elsewhere.jsonl");
  EXPECT_NE(elsewhere.text.find("diff elsewhere.jsonl leaselab-out/passing/"), std::string::npos);
  EXPECT_EQ(run(words_after(elsewhere.text, "diff ")).status, 1);
}

TEST_F(program, sweeps_an_axis_and_a_region) {
  const ended got = run("sweep clock.rate --schedules 2 --seed 1 --json s.json");
  EXPECT_EQ(got.status, 0) << got.error;
  EXPECT_NE(got.text.find("belief   from 0.8990"), std::string::npos) << got.text;
  const auto edges =
      boost::json::parse(text_of(folder_ / "s.json")).as_object().at("edges").as_array();
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_NEAR(edges[0].at("holds").as_double(), edges[0].at("analytic").as_double(), 0.009);
  EXPECT_EQ(run("sweep pause/ttl margin --schedules 0 --seed 1 --svg r.svg --html r.html "
                "--junit r.xml")
                .status,
            0);
  EXPECT_NE(text_of(folder_ / "r.svg").find("<polygon"), std::string::npos);
  expect_one_page(text_of(folder_ / "r.html"), "<polygon");
  EXPECT_NE(text_of(folder_ / "r.xml").find("name=\"redis.pause/ttl\" tests=\"42\" failures=\"0\""),
            std::string::npos);
  expect_refused(run("sweep clock.rat"), "did you mean `clock.rate`?");
  expect_refused(run("sweep margin margin"), "the axes are both `margin`");
  expect_refused(run("sweep margin --svg r.svg"), "a region has two axes");
  expect_refused(run("sweep"), "AXIS [AXIS] is missing");
}

constexpr const char* lease_header = "{\"history\":1,\"ttl\":60,\"reading\":\"at\"}\n";

std::string granted(const std::string& owner, int called) {
  const std::string at = std::to_string(called), end = std::to_string(called + 5);
  return "{\"op\":\"acquire\",\"owner\":\"" + owner + "\",\"call\":" + at + ",\"return\":" + end +
         ",\"outcome\":\"ok\",\"answer\":true}\n";
}

TEST_F(program, judges_histories) {
  write("good.jsonl", lease_header + granted("a", 0) + granted("b", 100));
  write("bad.jsonl", lease_header + granted("a", 0) + granted("b", 10));
  write("none.jsonl", lease_header);
  EXPECT_EQ(run("judge good.jsonl").status, 0);
  EXPECT_EQ(run("judge - --json - <good.jsonl").status, 0);
  EXPECT_EQ(run("judge none.jsonl").status, 2);
  EXPECT_EQ(run("judge good.jsonl --budget 1").status, 2);
  const ended got = run("judge good.jsonl none.jsonl bad.jsonl --json j.json");
  EXPECT_EQ(got.status, 1);
  EXPECT_NE(got.text.find("the first 2 answers"), std::string::npos) << got.text;
  const auto report = boost::json::parse(text_of(folder_ / "j.json")).as_object();
  EXPECT_EQ(report.at("verdict").as_string(), "violated");
  EXPECT_EQ(report.at("prefix").at("answers").as_int64(), 2);
  EXPECT_EQ(report.at("histories").as_array().size(), 3u);
}

TEST_F(program, refuses_odd_histories_in_one_line) {
  write("empty.jsonl", "");
  expect_refused(run("judge empty.jsonl"), "empty.jsonl:1: the file is empty");
  expect_refused(run("judge absent.jsonl"), "absent.jsonl: No such file");
  write("odd.jsonl", lease_header + std::string("{\"op\":\"steal\",\"call\":1}\n"));
  expect_refused(run("judge odd.jsonl"), "odd.jsonl:2: \"op\" is steal, and must be acquire, ");
  write("broken.jsonl", lease_header + std::string("{\"op\"\"get\"}\n"));
  expect_refused(run("judge broken.jsonl"), "broken.jsonl:2: expected ':'");
  write("long.jsonl", lease_header + granted("a", 0));
  ASSERT_EQ(std::system(("cd '" + folder_.string() +
                         "' && gzip -k long.jsonl && "
                         "head -c 60 long.jsonl.gz >cut.gz")
                            .c_str()),
            0);
  EXPECT_EQ(run("judge long.jsonl.gz").status, 0);
  expect_refused(run("judge cut.gz"), "cut.gz: the file is cut short");
  expect_refused(run("judge long.jsonl --reading att"), "did you mean `at`?");
  expect_refused(run("judge long.jsonl --granule 7"), "a whole number of granules of 7");
}

TEST_F(program, a_written_scenario_runs_as_it_says) {
  ASSERT_EQ(small_check("--workload handoff").status, 0);
  const ended told = run("run leaselab-out/latest/release-then-acquire/handoff.no_gap");
  EXPECT_EQ(told.status, 0) << told.text << told.error;
}

TEST_F(program, one_seed_gives_one_digest_on_any_number_of_threads) {
  const auto digest = [&](const std::string& words) {
    const ended got = run("check -p redis -f lossy --schedules 600 --json - " + words);
    return std::string(boost::json::parse(got.text).as_object().at("digest").as_string());
  };
  const auto first = digest("--seed 0x2a --jobs 1");
  EXPECT_EQ(digest("--seed 42 --jobs 2"), first);
  EXPECT_NE(digest("--seed 43 --jobs 2"), first);
}

TEST_F(program, the_policy_matrix_is_a_line_a_switch) {
  const auto matrix = [&](const std::string& words) {
    const ended got =
        run("check --each-switch -p redis -f interleave --schedules 25 --seed 1 --json s.json "
            "--markdown "
            "s.md " +
            words);
    EXPECT_EQ(got.status, 0) << got.text << got.error;
    EXPECT_NE(got.text.find("\nstrict                       nothing in 25\n"), std::string::npos)
        << got.text;
    EXPECT_NE(got.text.find("\nrenew_error=stop             nothing in 25\n"), std::string::npos);
    EXPECT_NE(got.text.find("\nplain_run_denied=run_beside  run.covered"), std::string::npos);
    return boost::json::parse(text_of(folder_ / "s.json")).as_object();
  };
  const auto alone = matrix("--jobs 1");
  EXPECT_EQ(alone.at("digest"), matrix("--jobs 2 -v").at("digest"));
  const auto& beside = alone.at("switches").as_array().at(16).as_object();
  EXPECT_EQ(beside.at("client"), "strict,plain_run_denied=run_beside");
  const auto& first = beside.at("breaks").as_array().at(0).as_object();
  EXPECT_EQ(first.at("property"), "run.covered");
  EXPECT_EQ(first.at("where").as_array().at(0).as_object().at("violations_without"), 0);
  EXPECT_EQ(run("replay " + std::string(first.at("trace").as_string())).status, 0);
  EXPECT_EQ(run("replay latest/plain_run_denied=run_beside/run.covered").status, 0);
  EXPECT_NE(text_of(folder_ / "s.md").find("| `renew_error=stop` | nothing in 25 |"),
            std::string::npos);
}

TEST_F(program, the_policy_matrix_may_start_from_another_client) {
  const ended got =
      run("check --each-switch --client strict,plain_run_denied=run_beside -p redis -f calm "
          "--schedules 25 --seed 1");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_NE(got.text.find("\nstrict,plain_run_denied=run_beside  by itself "), std::string::npos)
      << got.text;
  EXPECT_NE(got.text.find("\nplain_run_denied=stop "), std::string::npos);
}

TEST_F(program, the_policy_matrix_alarms_where_the_base_client_is_broken) {
  const ended got = run("check --each-switch -p mutant:M05 -f interleave --schedules 20 --seed 1");
  EXPECT_EQ(got.status, 1) << got.text << got.error;
  EXPECT_NE(got.text.find("broken  run.serialized of mutant:M05 in interleave with strict: "),
            std::string::npos);
  expect_refused(run("check --each-switch --workload calls"), "--each-switch is for runtimes");
  expect_refused(run("check --each-switch --html x.html"), "--each-switch reports as");
}

TEST_F(program, what_is_broken_is_status_1_and_is_on_disk) {
  const ended got =
      run("check -p mutant:M01 -f interleave -g release.owner_only --schedules 500 "
          "--seed 1 --html m.html --junit m.xml --markdown m.md");
  EXPECT_EQ(got.status, 1) << got.text << got.error;
  EXPECT_NE(got.text.find("broken  release.owner_only of mutant:M01 in interleave: "),
            std::string::npos);
  expect_one_page(text_of(folder_ / "m.html"), "<svg");
  EXPECT_NE(text_of(folder_ / "m.xml").find("<failure"), std::string::npos);
  EXPECT_NE(text_of(folder_ / "m.md").find("**broken**"), std::string::npos);
}

TEST_F(program, an_expectation_that_is_not_met_is_status_1) {
  const std::string call =
      "[[call]]\nat = \"0ms\"\nprocess = \"P1\"\ndo = \"acquire\"\nkey = \"K\"\nowner = \"A\"\n";
  const std::string head = "schema = 1\ntitle = \"x\"\nproviders = [\"redis\"]\n";
  write("good.toml", head + call + "expect = { acquired = true }\n");
  write("bad.toml", head + call + "expect = { acquired = false }\n");
  write("wrong.toml", head + "[expect]\ndefault = \"violates:key.isolation\"\n" + call);
  EXPECT_EQ(run("run good.toml").status, 0);
  EXPECT_EQ(run("run bad.toml --html r.html").status, 1);
  expect_one_page(text_of(folder_ / "r.html"), ">not ok</span>");
  EXPECT_EQ(run("run wrong.toml").status, 1);
  EXPECT_EQ(run("run good.toml -p memory").status, 2);  // nothing was run
  EXPECT_NE(run("run bad.toml").text.find("answer.as_expected"), std::string::npos);
}

// Each of the eight traces has a place of its own: two files of one name, two variations, two
// providers.
TEST_F(program, no_run_writes_over_the_trace_of_another) {
  const std::string text =
      "schema = 1\ntitle = \"x\"\nproviders = [\"redis\", \"memory\"]\nttl = \"20ms\"\n"
      "[[call]]\nat = \"0ms\"\nprocess = \"P1\"\ndo = \"acquire\"\nkey = \"K\"\n"
      "owner = \"A\"\nexpect = { acquired = false }\n";
  for (const char* folder : {"a", "b", "c"}) fs::create_directories(folder_ / folder);
  write("a/x.toml", text);
  write("c/x.toml", text);
  write("b/x.toml", text + "[matrix]\nttl = [\"10ms\", \"30ms\"]\n");
  EXPECT_EQ(run("run a b c --out out").status, 1);
  int traces = 0;
  for (const auto& one : fs::recursive_directory_iterator(folder_ / "out")) {
    if (one.is_symlink() || one.path().extension() != ".jsonl") continue;
    ++traces;
    const ended again = run("replay '" + one.path().string() + "'");
    EXPECT_EQ(again.status, 0) << again.text << again.error;
  }
  EXPECT_EQ(traces, 8);
}

TEST_F(program, an_exhaustive_search_says_complete_and_goes_on_from_a_checkpoint) {
  const std::string words =
      "check --strategy exhaustive --processes 2 --calls 2 --time-moves 1 -p memory --seed 1 "
      "--resume c.txt";
  const ended got = run(words);
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_NE(got.text.find("complete  memory: 6 line-ups of 3 programs"), std::string::npos);
  const ended again = run(words);  // nothing is left to walk
  EXPECT_EQ(again.text.substr(0, again.text.find("schedules in")),
            got.text.substr(0, got.text.find("schedules in")));
  expect_refused(run("check --strategy exhaustive --calls 3 -p memory --resume c.txt"),
                 "--resume: c.txt: it is of another search");
  expect_refused(run("check --strategy exhaustive -p memory -f chaos"), "interleave is all");
  expect_refused(run("check --strategy exhaustive -p memory --calls 9"), "1 to 6, not 9");
  expect_refused(run("check -p memory --no-reduction"), "only with --strategy exhaustive");
}

TEST_F(program, a_scenario_runs_in_every_order) {
  write("s.toml",
        "schema = 1\ntitle = \"x\"\ncall = [\n"
        "  { at = \"0ms\", process = \"P1\", do = \"acquire\", owner = \"A\" },\n"
        "  { at = \"9ms\", process = \"P1\", do = \"transfer\", from = \"A\", to = \"B\" },\n"
        "  { at = \"20ms\", process = \"P2\", do = \"acquire\", owner = \"C\" },\n"
        "]\n[expect]\ndefault = \"clean\"\n");
  const ended got = run("run s.toml -p redis --strategy exhaustive");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_NE(got.text.find("complete: every order of its 3 calls"), std::string::npos) << got.text;
  EXPECT_EQ(run("run s.toml -p release-then-acquire --strategy exhaustive").status, 1);
  EXPECT_EQ(run("replay leaselab-out/latest/s/release-then-acquire.jsonl").status, 0);
  expect_refused(run("run s.toml --time-moves 1"), "only with --strategy exhaustive");
  expect_refused(run("run s.toml --strategy exhaustive --seed 1"), "draws nothing");
}

TEST_F(program, an_exhaustive_witness_replays) {
  ASSERT_EQ(run("check --strategy exhaustive --calls 2 -p release-then-acquire --seed 1").status,
            0);
  EXPECT_EQ(run("replay latest/release-then-acquire/handoff.no_gap").status, 0);
}

TEST_F(program, split_scripts_are_columns_and_replay) {
  const ended got = run("check --split-scripts -p redis --schedules 300 --seed 1");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_EQ(run("replay latest/split:redis_acquire/single_owner.grant").status, 0);
  expect_refused(run("check --split-scripts -p memory"), "memory runs no scripts");
  expect_refused(run("check --split-scripts -p redis -f lossy"), "not lossy");
  expect_refused(run("check --split-scripts -p redis --engine server"), "model engine only");
}

TEST_F(program, a_prefix_is_explored) {
  ASSERT_EQ(small_check("--workload handoff").status, 0);
  const ended got = run("replay latest --until 3 --then-explore --schedules 50 --seed 1");
  EXPECT_EQ(got.status, 0) << got.text << got.error;
  EXPECT_NE(got.text.find("50 schedules from there by portfolio, seed 1"), std::string::npos);
  EXPECT_EQ(run("replay latest --until 3 --then-explore --schedules 50 --seed 1 --out x").status,
            3);  // no `latest` there
  expect_refused(run("replay latest --then-explore"), "--until N");
}

TEST_F(program, a_pipe_gets_neither_colours_nor_a_progress_line) {
  const ended got = small_check();
  EXPECT_EQ(got.text.find('\x1b'), std::string::npos);
  EXPECT_EQ(got.error, "");
}

}  // namespace
}  // namespace leaselab::cli
