// lease_plugin.h in Rust, version 1.0, and a safe way to use a call. Built by rustc 1.63 or later:
//     rustc --edition 2021 -O -C panic=abort --crate-type cdylib script_lease.rs
// A panic must not unwind into the host: it aborts.
#![allow(dead_code)]
use std::os::raw::{c_char, c_void};
use std::ptr;

pub const VERSION: u32 = 1 << 16;

pub type Outcome = i32;
pub const NO: Outcome = 0;
pub const YES: Outcome = 1;
pub const FAIL: Outcome = 2;
pub const INFO: Outcome = 3;

pub const INVALID_ARGUMENT: i32 = 1;
pub const BACKEND_ERROR: i32 = 11;
pub const PROTOCOL: i32 = 12;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    data: *const u8,
    size: usize,
}

impl Text {
    pub fn of(bytes: &[u8]) -> Text {
        Text { data: bytes.as_ptr(), size: bytes.len() }
    }
    /// What the host passes lives as long as the call, and so as long as `self` is of use.
    pub fn bytes(&self) -> &[u8] {
        if self.size == 0 {
            return &[];
        }
        unsafe { std::slice::from_raw_parts(self.data, self.size) }
    }
}

#[repr(C)]
pub struct RawReply {
    kind: i32,
    integer: i64,
    text: Text,
    count: usize,
    items: *const *const RawReply,
}

/// One call under way. The host may have more members than these: never made here, only pointed to.
#[repr(C)]
pub struct Call {
    size: u32,
    version: u32,
    host: *const Host,
    instance: *mut c_void,
    prefix: Text,
    pub limit_ns: i64,
}

#[repr(C)]
struct Host {
    size: u32,
    version: u32,
    monotonic_ns: unsafe extern "C" fn(*mut Call) -> i64,
    wall_ns: unsafe extern "C" fn(*mut Call) -> i64,
    host_ms: unsafe extern "C" fn(*mut Call) -> i64,
    random: unsafe extern "C" fn(*mut Call) -> u64,
    sleep: unsafe extern "C" fn(*mut Call, i64),
    step: unsafe extern "C" fn(*mut Call) -> Outcome,
    command: unsafe extern "C" fn(*mut Call, *const Text, usize, *mut *const RawReply) -> Outcome,
    set_owner: unsafe extern "C" fn(*mut Call, Text),
    set_token: unsafe extern "C" fn(*mut Call, u64),
    set_error: unsafe extern "C" fn(*mut Call, i32, Text),
    memory: unsafe extern "C" fn(*mut Call, usize) -> *mut c_void,
}

#[repr(C)]
pub struct Exception {
    pub property: *const c_char,
    pub profile: *const c_char,
}

/// Strings in it end with a NUL.
#[repr(C)]
pub struct Declaration {
    pub size: u32,
    pub scope: *const c_char,
    pub expiry: *const c_char,
    pub granule_ms: i64,
    pub handoff: *const c_char,
    pub records: *const c_char,
    pub not_guaranteed: *const Exception,
    pub not_guaranteed_count: usize,
}
unsafe impl Sync for Declaration {}

impl Declaration {
    /// Everything, in the whole cluster, dead after the deadline.
    pub const EVERYTHING: Declaration = Declaration {
        size: std::mem::size_of::<Declaration>() as u32,
        scope: ptr::null(),
        expiry: ptr::null(),
        granule_ms: 0,
        handoff: ptr::null(),
        records: ptr::null(),
        not_guaranteed: ptr::null(),
        not_guaranteed_count: 0,
    };
}

pub enum Reply<'a> {
    Nil,
    Integer(i64),
    Text(&'a [u8]),
    Status(&'a [u8]),
    Error(&'a [u8]),
    Array(usize),
}

impl Call {
    pub fn prefix(&self) -> &[u8] {
        self.prefix.bytes()
    }
    pub fn random(&mut self) -> u64 {
        unsafe { ((*self.host).random)(self) }
    }
    pub fn sleep(&mut self, ns: i64) {
        unsafe { ((*self.host).sleep)(self, ns) }
    }
    pub fn set_owner(&mut self, owner: &[u8]) {
        unsafe { ((*self.host).set_owner)(self, Text::of(owner)) }
    }
    pub fn fail(&mut self, code: i32, why: &[u8]) -> Outcome {
        unsafe { ((*self.host).set_error)(self, code, Text::of(why)) };
        FAIL
    }
    /// One trip to the backend; the reply lives as long as the call. Err: return it.
    pub fn command<'a>(&mut self, words: &[&[u8]]) -> Result<Reply<'a>, Outcome> {
        // A call that is dropped while it waits would lose what a Vec holds: the words are few.
        let mut texts = [Text::of(&[]); 8];
        assert!(words.len() <= texts.len());
        for (text, word) in texts.iter_mut().zip(words) {
            *text = Text::of(word);
        }
        let mut reply: *const RawReply = ptr::null();
        let end =
            unsafe { ((*self.host).command)(self, texts.as_ptr(), words.len(), &mut reply) };
        if end != YES {
            return Err(end);
        }
        let reply: &'a RawReply = unsafe { &*reply };
        Ok(match reply.kind {
            0 => Reply::Nil,
            1 => Reply::Integer(reply.integer),
            2 => Reply::Text(reply.text.bytes()),
            3 => Reply::Status(reply.text.bytes()),
            4 => Reply::Error(reply.text.bytes()),
            _ => Reply::Array(reply.count),
        })
    }
}
