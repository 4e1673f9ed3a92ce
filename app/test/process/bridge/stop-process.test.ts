import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adoptBridge } from "../../../src/process/bridge/adopt-bridge.ts";
import { noteOwnBridge, writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
import { sendSignal, stopProcess } from "../../../src/process/bridge/stop-process.ts";
import { AT } from "../../support/fake-run.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

/** A process that runs a line of code, says "up", and is killed with its test. */
async function running(code: string) {
	const child = spawn(process.execPath, ["-e", `${code}; setInterval(() => {}, 1000); console.log("up")`], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const exited = once(child, "exit").then(() => undefined);
	await once(child.stdout, "data");
	return { child, pid: pidOf(child), exited, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

function pidOf({ pid }: ChildProcess): number {
	if (pid === undefined) throw new Error("the process did not start");
	return pid;
}

describe("stopping a process", () => {
	it("asks first", async () => {
		using process_ = await running("process.on('SIGTERM', () => process.exit(7))");
		await stopProcess({ send: (signal) => sendSignal(process_.pid, signal), exited: process_.exited });
		expect(process_.child.exitCode).toBe(7);
	});

	it("kills one that does not end", async () => {
		using process_ = await running("process.on('SIGTERM', () => {})");
		await stopProcess({ send: (signal) => sendSignal(process_.pid, signal), exited: process_.exited }, 50);
		expect(process_.child.signalCode).toBe("SIGKILL");
	});

	it("one that is gone is no fault, at the first signal or at the second", async () => {
		using process_ = await running("");
		const { pid, exited } = process_;
		sendSignal(pid, "SIGKILL");
		await exited;
		expect(sendSignal(pid, "SIGTERM")).toBe(false);
		expect(sendSignal(pid, 0)).toBe(false);
		await stopProcess({ send: (signal) => sendSignal(pid, signal), exited: new Promise(() => {}) });
		// Gone, and not noticed yet: the kill comes too late.
		const noticed = Promise.withResolvers<void>();
		const signals: string[] = [];
		const send = (signal: "SIGTERM" | "SIGKILL") => {
			signals.push(signal);
			if (signal === "SIGTERM") return true;
			noticed.resolve();
			return sendSignal(pid, signal);
		};
		await stopProcess({ send, exited: noticed.promise }, 10);
		expect(signals).toEqual(["SIGTERM", "SIGKILL"]);
	});
});

it("a bridge that an app of this home started is taken over and stopped; a person's own is left alone", async () => {
	using home = temporaryHome();
	for (const folder of ["app", "bridge"]) mkdirSync(join(home.path, folder));
	await using health = await healthy();
	using process_ = await running("");
	const endpoint = { url: health.url, pid: process_.pid, startedAt: AT };
	await writeEndpoint(join(home.path, "bridge", "endpoint.json"), endpoint);
	await (await adoptBridge(home.path))?.stop();
	expect(sendSignal(process_.pid, 0)).toBe(true);
	await noteOwnBridge(home.path, endpoint);
	await (await adoptBridge(home.path))?.stop();
	await process_.exited;
	expect(process_.child.signalCode).toBe("SIGTERM");
	writeFileSync(join(home.path, "bridge", "endpoint.json"), JSON.stringify(endpoint));
	expect(await adoptBridge(home.path)).toBeUndefined();
});

/** Something that answers as a bridge's /healthz does. */
async function healthy() {
	const server = createServer((_request, response) => response.end("{}"));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
