#!/usr/bin/env node
/**
 * Runs one workspace command with the Node and pnpm this repository is built for:
 *
 *   node scripts/toolchain.mjs vitest run
 *
 * A machine that has them is used as it is. Any other machine with Node 18+ and npm
 * gets them once from the npm registry, into .toolchain/. Plain JavaScript, because
 * it is the one file an old Node has to read.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE = "24.21.0";
const PNPM = "12.21.0";

const root = fileURLToPath(new URL("..", import.meta.url));
const shell = process.platform === "win32";

/** Same major, and at least the pinned minor. */
function satisfies(version, pinned) {
	const [major, minor] = version.split(".").map(Number);
	const [wantMajor, wantMinor] = pinned.split(".").map(Number);
	return major === wantMajor && minor >= wantMinor;
}

function version(command, env) {
	const { stdout } = spawnSync(command, ["--version"], { cwd: root, env, encoding: "utf8", shell });
	return (stdout ?? "").trim().replace(/^v/, "") || "0.0";
}

function ready(env) {
	return satisfies(version("node", env), NODE) && satisfies(version("pnpm", env), PNPM);
}

function withToolchain() {
	if (ready(process.env)) return process.env;

	const prefix = join(root, ".toolchain");
	const bin = join(prefix, "node_modules", ".bin");
	const env = { ...process.env, PATH: bin + delimiter + process.env.PATH };
	if (existsSync(bin) && ready(env)) return env;

	console.error(`Installing Node ${NODE} and pnpm ${PNPM} into .toolchain (once)`);
	const install = ["install", "--prefix", prefix, "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
	// `node` places its binary from an install script, so scripts have to be on for it.
	spawnSync("npm", [...install, "--ignore-scripts=false", `node@${NODE}`, `pnpm@${PNPM}`], { cwd: root, stdio: "inherit", shell });
	if (ready(env)) return env;

	console.error(`Could not install them. Install Node ${NODE} and pnpm ${PNPM} yourself, then run this again.`);
	process.exit(1);
}

const command = spawn("pnpm", ["exec", ...process.argv.slice(2)], { cwd: root, env: withToolchain(), stdio: "inherit", shell });
process.on("SIGINT", () => {}); // The terminal sends it to the whole group already.
process.on("SIGTERM", () => command.kill("SIGTERM"));
command.on("exit", (code) => process.exit(code ?? 1));
