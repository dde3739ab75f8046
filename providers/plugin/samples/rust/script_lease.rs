// A lease in Redis, each operation one script: keeps the whole contract. How to build it is said in
// lease_plugin.rs.
mod lease_plugin;

use lease_plugin::*;

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static lease_plugin_version: u32 = VERSION;

const ACQUIRE: &str = "local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1";
const RELEASE: &str = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])";
const RENEW: &str = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])";
const TRANSFER: &str = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1";

// What lives across a trip lies on the stack: a call whose process crashes is never resumed, and
// what it holds elsewhere is lost.
struct Short {
    bytes: [u8; 512],
    size: usize,
}

impl Short {
    fn of(parts: &[&[u8]]) -> Option<Short> {
        let mut out = Short { bytes: [0; 512], size: 0 };
        for part in parts {
            let end = out.size + part.len();
            out.bytes.get_mut(out.size..end)?.copy_from_slice(part);
            out.size = end;
        }
        Some(out)
    }
    fn number(mut value: i64) -> Short {
        let mut out = Short { bytes: [0; 512], size: 20 };
        let mut at = out.size;
        while value > 0 {
            at -= 1;
            out.bytes[at] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        out.bytes.copy_within(at..20, 0);
        out.size = 20 - at;
        out
    }
    fn get(&self) -> &[u8] {
        &self.bytes[..self.size]
    }
}

// A script writes at most once and last: an error reply means that nothing was written.
fn checked<'a>(call: &mut Call, words: &[&[u8]]) -> Result<Reply<'a>, Outcome> {
    match call.command(words)? {
        Reply::Error(text) => Err(call.fail(BACKEND_ERROR, text)),
        reply => Ok(reply),
    }
}

fn record_of(call: &mut Call, key: &Text) -> Result<Short, Outcome> {
    let name = Short::of(&[call.prefix(), b":lease:", key.bytes()]);
    match name {
        Some(name) if !key.bytes().is_empty() => Ok(name),
        _ => Err(call.fail(INVALID_ARGUMENT, b"a key of no length, or of too much")),
    }
}

fn run<'a>(
    call: &mut Call,
    script: &str,
    key: Text,
    owners: &[Text],
    ttl_ms: i64,
) -> Result<Reply<'a>, Outcome> {
    let name = record_of(call, &key)?;
    if owners.iter().any(|owner| owner.bytes().is_empty()) || !(1..1 << 53).contains(&ttl_ms) {
        return Err(call.fail(INVALID_ARGUMENT, b"an empty owner, or ttl out of range"));
    }
    let ttl = Short::number(ttl_ms);
    let head: [&[u8]; 4] = [b"EVAL", script.as_bytes(), b"1", name.get()];
    match owners {
        [one] => checked(call, &[head[0], head[1], head[2], head[3], one.bytes(), ttl.get()]),
        [one, other, ..] => {
            let (one, other) = (one.bytes(), other.bytes());
            checked(call, &[head[0], head[1], head[2], head[3], one, other, ttl.get()])
        }
        [] => Err(call.fail(INVALID_ARGUMENT, b"no owner")),
    }
}

fn yes_or_no(end: Result<Reply, Outcome>) -> Outcome {
    match end {
        Ok(Reply::Integer(1)) => YES,
        Ok(_) => NO,
        Err(end) => end,
    }
}

#[no_mangle]
pub extern "C" fn lease_plugin_acquire_lease(
    call: &mut Call,
    key: Text,
    owner: Text,
    ttl_ms: i64,
) -> Outcome {
    let end = run(call, ACQUIRE, key, &[owner], ttl_ms);
    if let Ok(Reply::Text(holder)) = end {
        call.set_owner(holder);
    }
    yes_or_no(end)
}

#[no_mangle]
pub extern "C" fn lease_plugin_get_lease_owner(call: &mut Call, key: Text) -> Outcome {
    let name = match record_of(call, &key) {
        Ok(name) => name,
        Err(end) => return end,
    };
    match checked(call, &[b"GET", name.get()]) {
        Ok(Reply::Nil) => NO,
        Ok(Reply::Text(owner)) => {
            call.set_owner(owner);
            YES
        }
        Ok(_) => call.fail(PROTOCOL, b"GET answers neither text nor nil"),
        Err(end) => end,
    }
}

#[no_mangle]
pub extern "C" fn lease_plugin_release_lease(call: &mut Call, key: Text, owner: Text) -> Outcome {
    yes_or_no(run(call, RELEASE, key, &[owner], 1))
}

#[no_mangle]
pub extern "C" fn lease_plugin_renew_lease(
    call: &mut Call,
    key: Text,
    owner: Text,
    ttl_ms: i64,
) -> Outcome {
    yes_or_no(run(call, RENEW, key, &[owner], ttl_ms))
}

#[no_mangle]
pub extern "C" fn lease_plugin_transfer_lease(
    call: &mut Call,
    key: Text,
    from: Text,
    to: Text,
    ttl_ms: i64,
) -> Outcome {
    yes_or_no(run(call, TRANSFER, key, &[from, to], ttl_ms))
}

#[no_mangle]
pub extern "C" fn lease_plugin_declare() -> *const Declaration {
    static DECLARED: Declaration = Declaration {
        records: b"<prefix>:lease:<key>\0".as_ptr() as *const _,
        ..Declaration::EVERYTHING
    };
    &DECLARED
}
