import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { takeLock } from "@xworkmate/platform/sqlite";
import { expect, it } from "vitest";
import { adoptBridge, findRunningBridge, forgetOthersBridge } from "../../../src/process/bridge/adopt-bridge.ts";
import { bridgeEndpointFile, bridgeLockFile, writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

it.runIf(process.platform === "linux")("notices that a bridge has ended whose parent has not asked for its end", async () => {
	using home = temporaryHome();
	const server = createServer((_, response) => void response.end("{}")).listen(0, "127.0.0.1");
	// The shell becomes a program that never waits for its child.
	const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"] });
	try {
		await once(server, "listening");
		const [said] = await once(parent.stdout, "data");
		const pid = Number(String(said).trim());
		mkdirSync(join(home.path, "bridge"));
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		writeEndpoint(bridgeEndpointFile(home.path), { url, pid, startedAt: new Date().toISOString() });
		const bridge = await adoptBridge(home.path);
		process.kill(pid, "SIGKILL");
		await bridge?.exited;
		expect(bridge?.endpoint.pid).toBe(pid);
		expect(await findRunningBridge(home.path)).toBeUndefined();
	} finally {
		parent.kill("SIGKILL");
		server.close();
		server.closeAllConnections();
	}
});

it("in a copy of a home, the address of the original's bridge is not that of a bridge of the copy, and is forgotten", async () => {
	using home = temporaryHome();
	const server = createServer((_, response) => void response.end("{}")).listen(0, "127.0.0.1");
	try {
		await once(server, "listening");
		mkdirSync(join(home.path, "bridge"));
		const file = bridgeEndpointFile(home.path);
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		writeEndpoint(file, { url, pid: process.pid, startedAt: new Date().toISOString() });
		// The lock is held as long as the home's own bridge runs.
		{
			using _held = takeLock(bridgeLockFile(home.path));
			expect((await findRunningBridge(home.path))?.url).toBe(url);
			await forgetOthersBridge(home.path);
			expect(existsSync(file)).toBe(true);
		}
		expect(await findRunningBridge(home.path)).toBeUndefined();
		expect(await adoptBridge(home.path)).toBeUndefined();
		await forgetOthersBridge(home.path);
		expect(existsSync(file)).toBe(false);
		// A bridge that was killed leaves its address, from which the next one learns that.
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		writeEndpoint(file, { url, pid: process.pid, startedAt: new Date().toISOString() });
		await forgetOthersBridge(home.path);
		expect(existsSync(file)).toBe(true);
	} finally {
		server.closeAllConnections();
		server.close();
	}
});
