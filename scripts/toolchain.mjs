#!/usr/bin/env node
/**
 * Runs one workspace command with the Node and pnpm this repository is built for:
 *
 *   node scripts/toolchain.mjs vitest run
 *
 * `xworkmate` is the command of this checkout: bundled, when that was built from the sources as they are, and otherwise the sources.
 *
 * A machine that has them is used as it is. Any other machine with Node 18+ and npm
 * gets them once from the npm registry, into .toolchain/. Plain JavaScript, because
 * it is the one file an old Node has to read. What it says goes to stderr: stdout is the command's.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE = "24.21.0";
const PNPM = "12.21.0";
const LOCK_BOUND_MS = 10 * 60_000;
const LOCK_POLL_MS = 200;
const LOOK_EVERY_MS = 250;
/** How long a start has the machine to itself before programs are built for the next one. */
const START_MS = 20_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const prefix = join(root, ".toolchain");
const shell = process.platform === "win32";

/** Same major, and at least the pinned minor. */
function satisfies(version, pinned) {
	const [major, minor] = version.split(".").map(Number);
	const [wantMajor, wantMinor] = pinned.split(".").map(Number);
	return major === wantMajor && minor >= wantMinor;
}

function version(command, env) {
	if (command === "node" && env === process.env && isFirstNode()) return process.versions.node;
	const { stdout } = spawnSync(command, ["--version"], { cwd: root, env, encoding: "utf8", shell });
	return (stdout ?? "").trim().replace(/^v/, "") || "0.0";
}

/** True when the PATH leads to the program that runs this script, as it does under npm. */
function isFirstNode() {
	for (const folder of (process.env.PATH ?? "").split(delimiter)) {
		const found = realPathOf(join(folder, "node"));
		if (found !== undefined) return found === realPathOf(process.execPath);
	}
	return false;
}

function realPathOf(file) {
	try {
		return realpathSync(file);
	} catch {
		return undefined; // There is no such file.
	}
}

/** pnpm takes a tenth of a second to say its version, and only installs. */
function ready(env) {
	return satisfies(version("node", env), NODE) && (isInstalled() || satisfies(version("pnpm", env), PNPM));
}

function quoted(args) {
	return shell ? args.map((arg) => (/[\s"&|<>^]/.test(arg) ? `"${arg.replaceAll('"', '\\"')}"` : arg)) : args;
}

/** Runs to its end, all output on stderr; true when it succeeded. */
function succeeds(command, args, env) {
	return spawnSync(command, quoted(args), { cwd: root, env, stdio: ["ignore", 2, 2], shell }).status === 0;
}

function giveUp(...lines) {
	console.error(lines.join("\n"));
	process.exit(1);
}

function withToolchain() {
	if (ready(process.env)) return process.env;

	const bin = join(prefix, "node_modules", ".bin");
	const env = { ...process.env, PATH: bin + delimiter + (process.env.PATH ?? "") };
	if (existsSync(bin) && ready(env)) return env;

	whileLocked(() => {
		if (existsSync(bin) && ready(env)) return; // Another first run did it meanwhile.
		console.error(`Installing Node ${NODE} and pnpm ${PNPM} into .toolchain (once)`);
		const options = [
			"--no-save",
			"--no-audit",
			"--no-fund",
			"--loglevel=error",
			"--no-update-notifier",
			"--fetch-retry-mintimeout=1000",
			"--fetch-retry-maxtimeout=5000",
		];
		// `node` places its binary from an install script, so scripts have to be on for it.
		succeeds("npm", ["install", "--prefix", prefix, ...options, "--ignore-scripts=false", `node@${NODE}`, `pnpm@${PNPM}`], process.env);
		if (ready(env)) return;
		giveUp(
			`Node ${NODE} and pnpm ${PNPM} could not be installed into ${prefix}: npm's words above say why.`,
			"Is the npm registry reachable (npm ping)? Does this machine run glibc or musl Linux, macOS or Windows?",
			`Or install Node ${NODE} and pnpm ${PNPM} yourself and run this again: what is on the PATH is used.`,
		);
	});
	return env;
}

/** pnpm keeps a copy of the lock file it installed from. */
function isInstalled() {
	const modules = join(root, "node_modules");
	if (!existsSync(join(modules, ".modules.yaml"))) return false;
	const wanted = textOf(join(root, "pnpm-lock.yaml"));
	return wanted === undefined || wanted === textOf(join(modules, ".pnpm", "lock.yaml"));
}

function textOf(file) {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return undefined; // A file that cannot be read says nothing about what is installed.
	}
}

/** On the first start, and after a change of the lock file. */
function installDependencies(env) {
	if (isInstalled()) return;
	whileLocked(() => {
		if (isInstalled()) return;
		console.error("Installing the workspace's dependencies (once)");
		if (succeeds("pnpm", ["install", "--frozen-lockfile", "--reporter=append-only"], env)) return;
		giveUp("The dependencies could not be installed: pnpm's words above say why. Is the npm registry reachable (npm ping)?");
	});
}

/** Runs `work` while no other process of this checkout does; takes over from an owner that has died. */
function whileLocked(work) {
	const lock = join(prefix, "lock");
	const owner = join(lock, "pid");
	try {
		mkdirSync(prefix, { recursive: true });
	} catch (error) {
		giveUp(`${root} has to be writable for a first run: ${error.message}`);
	}
	const until = Date.now() + LOCK_BOUND_MS;
	while (!acquired(lock)) {
		if (Date.now() > until)
			giveUp(`Another run has been installing for ${LOCK_BOUND_MS / 60_000} minutes. If there is none, remove ${lock}.`);
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
		if (ownerDied(owner)) rmSync(lock, { recursive: true, force: true });
	}
	const release = () => rmSync(lock, { recursive: true, force: true });
	process.on("exit", release);
	writeFileSync(owner, String(process.pid));
	work();
	release();
	process.off("exit", release);
}

function acquired(lock) {
	try {
		mkdirSync(lock);
		return true;
	} catch (error) {
		if (error.code === "EEXIST") return false;
		return giveUp(`${root} has to be writable for a first run: ${error.message}`);
	}
}

/** False for an owner that lives, and for one that has not written its pid yet. */
function ownerDied(owner) {
	const pid = Number(textOf(owner));
	return pid > 0 && !isAlive(pid);
}

/**
 * The process id of the npm that started this script: its parent, or the parent of the shell in between. npm passes a
 * signal on to that shell alone, which dies of it and tells nobody. Undefined when npm did not start it, or nothing says so.
 */
function findNpm() {
	if (process.platform === "win32" || process.env.npm_lifecycle_event === undefined) return undefined;
	const [above, words] = process.platform === "linux" ? fromProc(process.ppid) : fromPs(process.ppid);
	if (words === undefined) return undefined;
	return words.includes("toolchain.mjs") ? Number(above) : process.ppid;
}

/** The parent of a process, and its words; empty when it is gone. */
function fromProc(pid) {
	// Its name is in brackets, and may contain some itself.
	const [, above] = /^.*\) \S (\d+) /s.exec(textOf(`/proc/${pid}/stat`) ?? "") ?? [];
	return above === undefined ? [] : [above, textOf(`/proc/${pid}/cmdline`)];
}

function fromPs(pid) {
	const { stdout } = spawnSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
	return (/^\s*(\d+)\s+(.*)/s.exec(stdout ?? "") ?? []).slice(1);
}

/** Calls back once when what started this script has died, so that it cannot pass anything on. */
function onceAbandoned(callback) {
	if (process.env.npm_lifecycle_event === undefined) return;
	const timer = setInterval(() => {
		if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
		clearInterval(timer);
		callback();
	}, LOOK_EVERY_MS);
	timer.unref();
}

function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code !== "ESRCH";
	}
}

/** Runs the command and ends as it does. Directly, not through `pnpm exec`, which dies of a signal and leaves its child behind. */
function run([program, ...rest], env) {
	let interrupted = false;
	// One order to end is enough; a second SIGINT would mean "leave at once". It listens before there is anything to end.
	const stop = () => {
		command.kill("SIGTERM");
		endBuild();
	};
	process.on("SIGTERM", stop);
	// The app of this checkout goes on in the background when its terminal is closed; everything else ends.
	process.on("SIGHUP", () => command.kill(args[0] === "xworkmate" ? "SIGHUP" : "SIGTERM"));
	process.on("SIGINT", () => {
		interrupted = true;
		endBuild();
		// A terminal sends it to the whole group, this command included.
		if (!process.stdin.isTTY) stop();
	});
	const command = spawn(program, quoted(rest), { cwd: root, env, stdio: "inherit", shell });
	onceAbandoned(() => interrupted || stop());
	command.on("error", (error) => giveUp(`${program} could not be started: ${error.message}`));
	command.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/**
 * The program and the arguments that are `xworkmate ...args` here, and whether programs have to be built for the next start. A service
 * starts what its file names for years, which bundled programs do not last.
 */
async function ownCommand(args) {
	const built = args[0] === "service" ? undefined : (await import("./programs.mjs")).builtProgram(root);
	return { command: ["node", built ?? join(root, "app", "src", "main.ts"), ...args], isStale: built === undefined && args[0] === "start" };
}

/** Builds them beside the app, once that has had its start to itself, as the least important thing that the machine does. */
function buildInBackground(env) {
	let builder;
	const timer = setTimeout(() => {
		builder = spawn("node", [join(root, "scripts", "pack", "build-in-background.ts")], { cwd: root, env, stdio: "ignore", shell });
		builder.on("error", () => undefined); // The sources run as well.
		if (builder.pid !== undefined) setPriority(builder.pid, constants.priority.PRIORITY_LOW);
	}, START_MS);
	timer.unref();
	endBuild = () => {
		clearTimeout(timer);
		builder?.kill();
	};
	process.on("exit", () => endBuild());
}

/** Ends the build of the next start's programs, or keeps it from beginning. */
let endBuild = () => undefined;

// Before anything takes time: later they may have died already.
const parent = process.ppid;
const npm = findNpm();

const args = process.argv.slice(2);
if (args.length === 0) giveUp("usage: node scripts/toolchain.mjs <command> [argument]...");

const toolchain = withToolchain();
installDependencies(toolchain);
// Compiled code is kept between processes, which halves the CPU of every start and changes nothing else.
const NODE_COMPILE_CACHE = join(root, ".cache", "compile");
const PATH = join(root, "node_modules", ".bin") + delimiter + (toolchain.PATH ?? "");
const env = { NODE_COMPILE_CACHE, ...toolchain, PATH };
const { command, isStale } = args[0] === "xworkmate" ? await ownCommand(args.slice(1)) : { command: args, isStale: false };
run(command, env);
if (isStale) buildInBackground(env);
