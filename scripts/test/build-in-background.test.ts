import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
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
