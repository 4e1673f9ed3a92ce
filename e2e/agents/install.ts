import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { lockBetweenProcesses } from "../support/machine/process-lock.ts";
import { isProgramName, needInstallScripts, type ProgramName, programNames } from "./agents.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const TRIES = 2;

/**
 * Installs programs from npm into `e2e/agents/<name>/`, outside the workspace. What is there already is left alone; several processes may
 * ask for the same one at once. Each waits for the registry most of its time, so they are installed beside each other. Writes two lines for
 * each to stderr: when it begins and when it is installed.
 * @throws Error when npm fails twice.
 */
export async function installPrograms(names: readonly ProgramName[]): Promise<void> {
	const ends = await Promise.allSettled(names.map(installProgram));
	for (const end of ends) if (end.status === "rejected") throw end.reason;
}

async function installProgram(name: ProgramName): Promise<void> {
	if (await isInstalled(name)) return;
	await using _lock = await lockBetweenProcesses(join(here, `.installed-${name}.lock`));
	if (!(await isInstalled(name))) await install(name);
}

async function install(name: ProgramName): Promise<void> {
	const startedAt = Date.now();
	console.error(`installing ${name} ...`);
	await rm(join(here, name, "node_modules"), { recursive: true, force: true });
	for (let attempt = 1; ; attempt++) {
		const failure = await npmInstall(name);
		if (failure === undefined) break;
		if (attempt === TRIES) throw new Error(`npm could not install ${name}: ${failure}`);
	}
	await writeFile(stampFile(name), await stampFor(name));
	console.error(`installed ${name} in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** Undefined when it worked, else npm's last words. */
function npmInstall(name: ProgramName): Promise<string | undefined> {
	const scripts = needInstallScripts.includes(name) ? "--ignore-scripts=false" : "--ignore-scripts";
	const locked = existsSync(join(here, name, "package-lock.json"));
	const flags = [...(locked ? [] : ["--no-package-lock"]), "--no-audit", "--no-fund", "--loglevel=error", scripts];
	const child = spawn("npm", [locked ? "ci" : "install", "--prefix", join(here, name), ...flags], {
		cwd: join(here, name),
		stdio: ["ignore", "ignore", "pipe"],
	});
	let words = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		words = (words + text).slice(-2_000);
	});
	return new Promise((resolve) => {
		child.once("error", (error) => resolve(error.message));
		child.once("close", (code) => resolve(code === 0 ? undefined : words.trim() || `exit code ${code}`));
	});
}

function stampFile(name: ProgramName): string {
	return join(here, `.installed-${name}`);
}

async function stampFor(name: ProgramName): Promise<string> {
	const hash = createHash("sha256").update(await readFile(join(here, name, "package.json")));
	const lock = await readFile(join(here, name, "package-lock.json")).catch(() => undefined);
	if (lock !== undefined) hash.update(lock);
	return `${hash.digest("hex")} ${process.platform}-${process.arch}\n`;
}

async function isInstalled(name: ProgramName): Promise<boolean> {
	const stamp = await readFile(stampFile(name), "utf8").catch(() => "");
	return stamp === (await stampFor(name));
}

if (import.meta.main) {
	const names = argv.slice(2);
	const unknown = names.filter((name) => !isProgramName(name));
	if (names.length === 0 || unknown.length > 0) {
		console.error(`usage: node e2e/agents/install.ts <program>...   programs: ${programNames.join(", ")}`);
		exit(2);
	}
	await installPrograms(names.filter(isProgramName));
}
