//! Starts farms: everything in one process, or the roles apart.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::api::Api;
use super::command::{kinora, said};
use super::postgres::Postgres;
use super::process::Process;
use super::s3::S3;

const EMAIL: &str = "tester@example.com";
const CREDITS: &str = "1000";
/// Short tasks, so that even a short video is several.
const SECONDS_PER_TASK: &str = "1";

/// A running farm. Everything ends and is deleted with it.
pub(crate) struct TestFarm {
    pub(crate) api: Api,
    /// The single process of `serve`, or the gateway.
    pub(crate) front: Process,
    pub(crate) controller: Option<Process>,
    pub(crate) nodes: Vec<Process>,
    folder: PathBuf,
    database_url: String,
    postgres: Option<Postgres>,
    s3: Option<S3>,
    /// Variables that every role has.
    environment: Vec<(String, String)>,
    _owned_folder: Option<TempDir>,
}

impl TestFarm {
    /// `kinora serve` in a new folder.
    pub(crate) fn serve() -> Self {
        let owned = tempfile::tempdir().expect("temp folder");
        let mut farm = Self::serve_in(owned.path());
        farm._owned_folder = Some(owned);
        farm
    }

    /// `kinora serve` in a folder that may have been used before.
    pub(crate) fn serve_in(folder: &Path) -> Self {
        Self::serve_with(folder, &[])
    }

    /// `kinora serve` with variables in its environment.
    pub(crate) fn serve_with(folder: &Path, variables: &[(&str, &str)]) -> Self {
        let database_url = sqlite_url(folder);
        let mut serve = kinora();
        serve.envs(variables.iter().copied());
        serve.args(["serve", "--listen", "127.0.0.1:0"]);
        serve.args(["--seconds-per-task", SECONDS_PER_TASK]);
        let mut front = Process::start("serve", serve.arg("--data").arg(folder));
        let url = front.wait_for("Kinora is at ");
        // The account of an empty folder is printed once; later starts need a key of their own.
        let key = if front.log().contains("API key ") {
            front.wait_for("API key ")
        } else {
            new_key(&database_url, "you@localhost")
        };
        let api = Api::new(&url, &key);
        Self {
            api,
            front,
            controller: None,
            nodes: Vec::new(),
            folder: folder.to_owned(),
            database_url,
            postgres: None,
            s3: None,
            environment: Vec::new(),
            _owned_folder: None,
        }
    }

    /// The roles in processes of their own.
    pub(crate) fn apart() -> Apart {
        Apart {
            nodes: 1,
            postgres: false,
            s3: false,
            settings: Vec::new(),
        }
    }

    /// The database, for audits.
    pub(crate) fn database_url(&self) -> &str {
        &self.database_url
    }

    /// The S3-compatible server, where the farm has one.
    pub(crate) fn s3(&self) -> &S3 {
        self.s3.as_ref().expect("the farm is on S3")
    }

    /// The farm's data folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs an operator's command on the farm's database; it must succeed and print JSON.
    pub(crate) fn admin(&self, arguments: &[&str]) -> Value {
        let mut command = kinora();
        command.args(arguments).arg("--json");
        said(command.args(["--database-url", &self.database_url])).json()
    }

    /// The folder in which the object store keeps its files.
    pub(crate) fn objects(&self) -> PathBuf {
        self.folder.join("objects")
    }

    /// A client with an account of its own, which has no credits.
    pub(crate) fn another_account(&self) -> Api {
        let email = "stranger@example.com";
        let mut create = kinora();
        create.args(["account", "create", "--email", email]);
        said(create.args(["--database-url", &self.database_url])).succeeded();
        Api::new(&self.api.url, &new_key(&self.database_url, email))
    }

    /// Takes the database away.
    pub(crate) fn stop_database(&mut self) {
        drop(self.postgres.take().expect("the farm is on Postgres"));
    }

    /// Starts the controller again, on the address that it had.
    pub(crate) fn restart_controller(&mut self) {
        let dead = self.controller.as_mut().expect("the roles are apart");
        let url = dead.wait_for("Kinora's controller is at ");
        let address = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let url = &self.database_url;
        self.controller = Some(controller(&self.folder, url, address, &self.environment));
    }

    /// Starts one more node.
    pub(crate) fn add_node(&mut self) {
        let name = format!("node-{}", self.nodes.len() + 1);
        let controller = self.controller.as_mut().expect("the roles are apart");
        let url = controller.wait_for("Kinora's controller is at ");
        let mut node = role("node", &self.folder);
        // What belongs to the store is none of its business.
        let is_of_store = |name: &str| name.starts_with("AWS_") || name == "KINORA_STORE_URL";
        let environment = self.environment.iter().cloned();
        node.envs(environment.filter(|(name, _)| !is_of_store(name)));
        node.args(["--controller", &url, "--name", &name]).args([
            "--allow-private-urls",
            "1",
            "--status-listen",
            "127.0.0.1:0",
        ]);
        let mut node = Process::start(&name, &mut node);
        node.wait_for("Status pages are at ");
        self.nodes.push(node);
    }
}

/// What kind of farm to start.
pub(crate) struct Apart {
    nodes: usize,
    postgres: bool,
    s3: bool,
    settings: Vec<(String, String)>,
}

impl Apart {
    /// How many nodes.
    pub(crate) fn nodes(mut self, count: usize) -> Self {
        self.nodes = count;
        self
    }

    /// On SQLite, in the farm's folder.
    pub(crate) fn sqlite(mut self) -> Self {
        self.postgres = false;
        self
    }

    /// On a Postgres of its own.
    pub(crate) fn postgres(mut self) -> Self {
        self.postgres = true;
        self
    }

    /// With an S3-compatible store of its own.
    pub(crate) fn s3(mut self) -> Self {
        self.s3 = true;
        self
    }

    /// With this variable in the environment of every role.
    pub(crate) fn setting(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Starts all of it.
    pub(crate) fn start(self) -> TestFarm {
        let owned = tempfile::tempdir().expect("temp folder");
        let folder = owned.path().to_owned();
        let postgres = self.postgres.then(Postgres::start);
        let database_url = match &postgres {
            Some(postgres) => postgres.url(),
            None => sqlite_url(&folder),
        };
        let created = ["account", "create", "--email", EMAIL, "--plan", "business"];
        let mut create = kinora();
        create.args(created).args(["--credits", CREDITS]);
        said(create.args(["--database-url", &database_url])).succeeded();

        let s3 = self.s3.then(|| S3::start(&folder));
        let mut environment = self.settings;
        environment.extend(s3.iter().flat_map(S3::environment));
        let mut controller = controller(&folder, &database_url, "127.0.0.1:0", &environment);
        let controller_url = controller.wait_for("Kinora's controller is at ");

        let mut gateway = role("gateway", &folder);
        gateway.envs(environment.iter().cloned());
        gateway.args(["--listen", "127.0.0.1:0", "--controller", &controller_url]);
        let mut front = Process::start("gateway", &mut gateway);
        let url = front.wait_for("Kinora's gateway is at ");

        let mut farm = TestFarm {
            api: Api::new(&url, &new_key(&database_url, EMAIL)),
            front,
            controller: Some(controller),
            nodes: Vec::new(),
            folder,
            database_url,
            postgres,
            s3,
            environment,
            _owned_folder: Some(owned),
        };
        for _ in 0..self.nodes {
            farm.add_node();
        }
        farm
    }
}

fn controller(
    folder: &Path,
    database_url: &str,
    listen: &str,
    environment: &[(String, String)],
) -> Process {
    let mut controller = role("controller", folder);
    controller
        .envs(environment.iter().cloned())
        .args(["--allow-private-urls", "1"])
        .args(["--listen", listen, "--status-listen", "127.0.0.1:0"])
        .args(["--database-url", database_url])
        .args(["--seconds-per-task", SECONDS_PER_TASK]);
    let mut controller = Process::start("controller", &mut controller);
    controller.wait_for("Kinora's controller is at ");
    controller
}

/// A role, with its temporary files in the folder.
pub(crate) fn role(name: &str, folder: &Path) -> Command {
    let temporary = folder.join("tmp");
    std::fs::create_dir_all(&temporary).expect("folder");
    let mut command = kinora();
    // A process that is killed leaves its temporary files behind; here they go with the farm.
    command.env("TMPDIR", temporary);
    command.arg(name).arg("--data").arg(folder);
    command
}

fn sqlite_url(folder: &Path) -> String {
    format!("sqlite://{}/kinora.db?mode=rwc", folder.display())
}

/// A new key of an account.
pub(crate) fn new_key(database_url: &str, email: &str) -> String {
    let mut create = kinora();
    create.args(["key", "create", "--json", "--email", email]);
    let created: Value = said(create.args(["--database-url", database_url])).json();
    created["key"].as_str().expect("a key").to_owned()
}
