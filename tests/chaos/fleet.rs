//! The processes under test, each behind links of its own, and how each is started again.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::link::{Link, at};
use crate::farm::postgres::{Postgres, free_port};
use crate::farm::s3::S3;
use crate::farm::{Process, role};

pub(crate) const CONTROLLERS: usize = 2;
pub(crate) const NODES: usize = 4;

/// What a link of a member leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Others come in by it.
    Door,
    Controllers,
    Postgres,
    Store,
}

/// A process that can be started again, and the links by which it is reached and reaches others.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) process: Process,
    pub(crate) links: Vec<(Way, Link)>,
    start: Start,
    /// What earlier processes of this name wrote.
    earlier: Vec<String>,
    peak_memory: u64,
}

/// How to start a member that listens on a port, and what it says when it is ready.
struct Start {
    command: Box<dyn Fn(u16) -> Command + Send>,
    marker: &'static str,
}

impl Start {
    /// A process that is ready, behind its door.
    fn process(&self, name: &str, links: &[(Way, Link)]) -> Process {
        let port = free_port();
        let mut process = Process::start(name, &mut (self.command)(port));
        process.wait_for(self.marker);
        for (_, door) in links.iter().filter(|(way, _)| *way == Way::Door) {
            door.lead_to(&[at(port)]);
        }
        process
    }
}

impl Member {
    fn start(name: String, links: Vec<(Way, Link)>, start: Start) -> Self {
        Self {
            process: start.process(&name, &links),
            name,
            links,
            start,
            earlier: Vec::new(),
            peak_memory: 0,
        }
    }

    /// Kills the process; `revive` starts it again.
    pub(crate) fn kill(&mut self) {
        self.peak_memory = self.peak_memory();
        self.process.kill();
    }

    /// Starts a killed process as it was started first.
    pub(crate) fn revive(&mut self) {
        self.earlier.push(self.process.log());
        self.process = self.start.process(&self.name, &self.links);
    }

    /// Everything that processes of this name wrote.
    pub(crate) fn log(&self) -> String {
        self.earlier.concat() + &self.process.log()
    }

    /// The most memory that a process of this name ever had, in MiB.
    pub(crate) fn peak_memory(&self) -> u64 {
        self.peak_memory.max(self.process.peak_memory())
    }
}

/// One gateway, controllers, nodes, a database and a store.
pub(crate) struct Fleet {
    pub(crate) gateway: Member,
    pub(crate) controllers: Vec<Member>,
    pub(crate) nodes: Vec<Member>,
    pub(crate) postgres: Postgres,
    pub(crate) store: S3,
    /// Deleted last.
    _folder: TempDir,
}

impl Fleet {
    /// Starts everything, on an empty database and an empty store.
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("temp folder");
        let postgres = Postgres::start();
        let store = S3::start(folder.path());
        let starter = Starter {
            folder: folder.path().to_owned(),
            environment: store.environment(),
        };
        let mut controllers = Vec::new();
        for number in 1..=CONTROLLERS {
            let links = vec![
                (Way::Door, Link::open().await),
                (Way::Postgres, Link::to(postgres.port()).await),
                (Way::Store, Link::to(store.port()).await),
            ];
            controllers.push(starter.controller(number, links));
        }
        let doors: Vec<SocketAddr> = controllers
            .iter()
            .map(|controller| address(&controller.links, Way::Door))
            .collect();
        let links = vec![
            (Way::Door, Link::open().await),
            (Way::Controllers, Link::to_each_of(&doors).await),
            (Way::Store, Link::to(store.port()).await),
        ];
        let gateway = starter.gateway(links);
        let mut nodes = Vec::new();
        for number in 1..=NODES {
            // What they read and write goes to the store by the address that a controller knows: by its link.
            let links = vec![(Way::Controllers, Link::to_each_of(&doors).await)];
            nodes.push(starter.node(number, links));
        }
        Self {
            gateway,
            controllers,
            nodes,
            postgres,
            store,
            _folder: folder,
        }
    }

    /// Where clients reach the service.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", address(&self.gateway.links, Way::Door))
    }

    /// The database itself, past all links.
    pub(crate) fn database_url(&self) -> String {
        self.postgres.url()
    }

    /// Every process of ours.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Member> {
        std::iter::once(&self.gateway)
            .chain(&self.controllers)
            .chain(&self.nodes)
    }

    /// Lines of all logs in which one of these stands.
    pub(crate) fn lines_with(&self, parts: &[impl AsRef<str>]) -> Vec<String> {
        let mut lines = Vec::new();
        for member in self.members() {
            let log = member.log();
            let found = log
                .lines()
                .filter(|line| parts.iter().any(|part| line.contains(part.as_ref())));
            lines.extend(found.map(|line| format!("{}: {line}", member.name)));
        }
        lines
    }

    /// Every link that leads to the database or to the store.
    pub(crate) fn links_to(&self, way: Way) -> Vec<&Link> {
        let all = self.members().flat_map(|member| &member.links);
        all.filter(|(to, _)| *to == way)
            .map(|(_, link)| link)
            .collect()
    }

    /// Starts a stopped database again.
    pub(crate) fn revive_postgres(&mut self) {
        self.postgres.revive();
        for link in self.links_to(Way::Postgres) {
            link.lead_to(&[at(self.postgres.port())]);
        }
    }

    /// Starts a killed store again.
    pub(crate) fn revive_store(&mut self) {
        self.store.revive();
        for link in self.links_to(Way::Store) {
            link.lead_to(&[at(self.store.port())]);
        }
    }
}

/// What all members have in common.
struct Starter {
    folder: PathBuf,
    environment: Vec<(String, String)>,
}

impl Starter {
    fn controller(&self, number: usize, links: Vec<(Way, Link)>) -> Member {
        let database = address(&links, Way::Postgres);
        let database = format!("postgres://kinora@{database}/postgres");
        let command = self.role("controller", &links, move |controller, port| {
            controller
                .args(["--allow-private-urls", "1"])
                .args(["--listen", &at(port).to_string()])
                .args(["--status-listen", "127.0.0.1:0"])
                .args(["--database-url", &database])
                // Short tasks, so that even a short video is several; and nobody is held up.
                .args(["--seconds-per-task", "1"])
                .args(["--requests-per-minute", "100000,100000,100000"]);
        });
        let marker = "Kinora's controller is at ";
        Member::start(
            format!("controller-{number}"),
            links,
            Start { command, marker },
        )
    }

    fn gateway(&self, links: Vec<(Way, Link)>) -> Member {
        let controllers = format!("http://{}", address(&links, Way::Controllers));
        let public = format!("http://{}", address(&links, Way::Door));
        let command = self.role("gateway", &links, move |gateway, port| {
            gateway
                .args(["--listen", &at(port).to_string()])
                .args(["--controller", &controllers])
                .args(["--public-url", &public]);
        });
        let marker = "Kinora's gateway is at ";
        Member::start("gateway".into(), links, Start { command, marker })
    }

    fn node(&self, number: usize, links: Vec<(Way, Link)>) -> Member {
        let controllers = format!("http://{}", address(&links, Way::Controllers));
        let name = format!("node-{number}");
        let called = name.clone();
        let folder = self.folder.clone();
        let command = Box::new(move |_| {
            let mut node = role("node", Path::new(&folder));
            node.args(["--controller", &controllers, "--name", &called])
                .args(["--allow-private-urls", "1"])
                .args(["--status-listen", "127.0.0.1:0"]);
            node
        });
        let marker = "works for ";
        Member::start(name, links, Start { command, marker })
    }

    /// A role that opens the store itself.
    fn role(
        &self,
        name: &'static str,
        links: &[(Way, Link)],
        arguments: impl Fn(&mut Command, u16) + Send + 'static,
    ) -> Box<dyn Fn(u16) -> Command + Send> {
        let store = format!("http://{}", address(links, Way::Store));
        let (folder, environment) = (self.folder.clone(), self.environment.clone());
        Box::new(move |port| {
            let mut command = role(name, Path::new(&folder));
            command.envs(environment.iter().cloned());
            command.env("AWS_ENDPOINT", &store);
            arguments(&mut command, port);
            command
        })
    }
}

fn address(links: &[(Way, Link)], way: Way) -> SocketAddr {
    let mut links = links.iter().filter(|(to, _)| *to == way);
    links.next().expect("such a link").1.address()
}
