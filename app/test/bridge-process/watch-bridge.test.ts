import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bridgeEndpointFile, writeEndpoint } from "../../src/bridge-process/bridge-files.ts";
import { watchBridge } from "../../src/bridge-process/watch-bridge.ts";
import { temporaryHome } from "../support/temporary-home.ts";

function endpoint(pid: number, startedAt: string) {
	return { url: "http://127.0.0.1:1", pid, startedAt };
}

/** A home in which this process poses as the bridge. */
function home() {
	const made = temporaryHome();
	mkdirSync(join(made.path, "bridge"), { recursive: true });
	return made;
}

const before = "2026-11-22T10:00:00.000Z";
const after = "2026-11-22T10:00:05.000Z";

describe("a bridge that is watched", () => {
	it("has not stopped while its process lives", async () => {
		using made = home();
		await writeEndpoint(bridgeEndpointFile(made.path), endpoint(process.pid, before));
		expect(await (await watchBridge(made.path))()).toBe(false);
	});

	it("has stopped when its process is gone, although its address is still written", async () => {
		using made = home();
		const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
		await writeEndpoint(bridgeEndpointFile(made.path), endpoint(child.pid ?? 0, before));
		const hasStopped = await watchBridge(made.path);
		expect(await hasStopped()).toBe(false);
		child.kill("SIGKILL");
		await once(child, "exit");
		expect(await hasStopped()).toBe(true);
	});

	it("has stopped when another one has taken its place", async () => {
		using made = home();
		await writeEndpoint(bridgeEndpointFile(made.path), endpoint(process.pid, before));
		const hasStopped = await watchBridge(made.path);
		await writeEndpoint(bridgeEndpointFile(made.path), endpoint(process.pid, after));
		expect(await hasStopped()).toBe(true);
	});

	it("is not said to have stopped when none was known", async () => {
		using made = home();
		expect(await (await watchBridge(made.path))()).toBe(false);
	});
});
