//! Caches all Pods of a server with kube-rs and prints the memory of its process.
//!
//! Arguments: the shape (whole, five fields, metadata only) and the URL of the server. See ../../../README.md.
use std::{env, error::Error, hash::Hash};

use futures::{Stream, StreamExt};
use k8s_openapi::api::core::v1::{Pod, PodSpec, PodStatus};
use kube::{
    Api, Client, Config, Resource,
    core::PartialObjectMeta,
    runtime::{
        WatchStreamExt,
        reflector,
        watcher,
    },
};
use serde_json::json;

fn five_fields(pod: &mut Pod) {
    pod.metadata.managed_fields = None;
    let spec = pod.spec.take().unwrap_or_default();
    let status = pod.status.take().unwrap_or_default();
    pod.spec = Some(PodSpec { node_name: spec.node_name, ..Default::default() });
    pod.status = Some(PodStatus {
        phase: status.phase,
        pod_ip: status.pod_ip,
        start_time: status.start_time,
        ..Default::default()
    });
}

fn memory(key: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kb = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')?.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(0.0) / 1024.0
}

fn cpu_ms() -> i64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let us = |time: libc::timeval| time.tv_sec as i64 * 1_000_000 + time.tv_usec as i64;
    (us(usage.ru_utime) + us(usage.ru_stime)) / 1000
}

async fn measure<K>(events: impl Stream<Item = watcher::Result<watcher::Event<K>>> + Send + 'static) -> Result<(), Box<dyn Error>>
where
    K: Resource + Clone + Send + Sync + 'static,
    K::DynamicType: Default + Eq + Hash + Clone + Send + Sync,
{
    let (store, writer) = reflector::store::<K>();
    tokio::spawn(events.reflect(writer).for_each(|event| {
        if let Err(error) = event {
            eprintln!("error: {error}");
        }
        futures::future::ready(())
    }));
    store.wait_until_ready().await?;
    println!("{}", json!({"objects": store.len(), "rss": memory("VmRSS"), "peak": memory("VmHWM"), "cpuMs": cpu_ms()}));
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let [shape, server] = [1, 2].map(|at| env::args().nth(at).unwrap_or_default());
    let client = Client::try_from(Config::new(server.parse()?))?;
    let pods: Api<Pod> = Api::all(client.clone());
    let config = watcher::Config::default();
    match shape.as_str() {
        "whole" => measure(watcher(pods, config)).await?,
        "five fields" => measure(watcher(pods, config).modify(five_fields)).await?,
        "metadata only" => measure(watcher(Api::<PartialObjectMeta<Pod>>::all(client), config)).await?,
        other => return Err(format!("unknown shape {other:?}").into()),
    }
    std::process::exit(0)
}
