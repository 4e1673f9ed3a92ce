import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { adoptBridge, findRunningBridge } from "../../../src/process/bridge/adopt-bridge.ts";
import { bridgeEndpointFile, writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
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
