import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { RepositoryCopy } from "../mutants/repository-copy.ts";
import { stateOfSources } from "../programs.mjs";
import { repositoryRoot } from "../repository.ts";

const BOUND_MS = 60_000;
const LOOK_EVERY_MS = 20;

async function until(what: string, isSo: () => boolean): Promise<void> {
	for (const end = performance.now() + BOUND_MS; !isSo(); await delay(LOOK_EVERY_MS))
		if (performance.now() > end) throw new Error(`waited too long for ${what}`);
}

function processesNaming(path: string): readonly string[] {
	const all = execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" });
	return all.split("\n").filter((line) => line.includes(path));
}

it.skipIf(process.platform === "win32").each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
	"a build in the background that %s ends leaves no process and nothing half-written",
	async (signal) => {
		using copy = new RepositoryCopy(repositoryRoot);
		const kept = join(copy.root, ".cache", "programs");
		const written = () => (existsSync(kept) ? readdirSync(kept) : []);
		await until("sources that are old enough", () => stateOfSources(copy.root).settled);
		const builder = spawn(process.execPath, [join(copy.root, "scripts", "pack", "build-in-background.ts")], { stdio: "ignore" });
		const ended = once(builder, "exit");
		const building = () => processesNaming(copy.root).some((line) => line.includes("build-for-checkout.ts"));
		await until("the build", () => building() && written().length > 0);
		builder.kill(signal);
		expect(await ended).toEqual([1, null]);
		expect(processesNaming(copy.root)).toEqual([]);
		expect(written()).toEqual([]);
	},
	BOUND_MS,
);

it(
	"a build that is ended while its folder is made is ended as soon as it has begun, with nothing half-written",
	async () => {
		using copy = new RepositoryCopy(repositoryRoot);
		// The build looks at the signal before it makes the folder. The microtask runs while it waits for the folder.
		const program = `
		import { keepPrograms } from ${JSON.stringify(pathToFileURL(join(copy.root, "scripts", "pack", "kept-programs.ts")).href)};
		const asked = new AbortController();
		const { signal } = asked;
		signal.throwIfAborted = () => {
			AbortSignal.prototype.throwIfAborted.call(signal);
			queueMicrotask(() => asked.abort());
		};
		console.log(await keepPrograms(signal).then(() => "built", (error) => error.name));
	`;
		const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { timeout: BOUND_MS });
		expect(stdout).toBe("AbortError\n");
		const kept = join(copy.root, ".cache", "programs");
		expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
		expect(processesNaming(copy.root)).toEqual([]);
	},
	BOUND_MS,
);
