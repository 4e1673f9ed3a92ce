import { spawn } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stopCommand } from "../../../src/cli/app/stop-command.ts";
import { appEndpointFile, findRunningApp } from "../../../src/process/app/running-app.ts";
import { isAlive } from "../../../src/process/bridge/adopt-bridge.ts";
import { bridgeEndpointFile, noteOwnBridge, writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
import { createAppToken } from "../../../src/server/access/app-token.ts";
import { ownAppHome } from "../../../src/store/app-home.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

it("says that an app isn't responding, and that none is running only if none owns the home", async () => {
	using home = temporaryHome();
	const console = new RecordingConsole();
	{
		using _owned = ownAppHome(home.path);
		await expect(stopCommand({ home: home.path, console })).rejects.toMatchObject({
			code: "APP_HOME_IN_USE",
			message: expect.stringContaining("isn't responding"),
		});
	}
	expect(console.lines).toEqual([]);
	expect(await stopCommand({ home: home.path, console })).toBe(0);
	expect(console.lines).toEqual(["XWorkmate isn't running."]);
});

it("says that a bridge may be running that isn't responding", async () => {
	using home = temporaryHome();
	mkdirSync(join(home.path, "bridge"));
	const words = async (program: string) => {
		const child = spawn(process.execPath, ["-e", "setTimeout(() => undefined, 60_000)", program]);
		const pid = child.pid ?? 0;
		writeEndpoint(bridgeEndpointFile(home.path), { url: "http://127.0.0.1:1", pid, startedAt: new Date(0).toISOString() });
		const console = new RecordingConsole();
		expect(await stopCommand({ home: home.path, console })).toBe(0);
		child.kill();
		return console.lines.map((line) => line.replace(String(pid), "PID"));
	};
	expect(await words("/xworkmate/bridge/src/main.ts")).toEqual([
		"The app isn't running. A bridge may still be running (process PID), but it isn't responding. If it is, end that process.",
	]);
	// The bridge's process id belongs to another program now.
	if (process.platform === "linux") expect(await words("another.js")).toEqual(["XWorkmate isn't running."]);
});

it.each(["user", "app", "elsewhere"] as const)("says whether a bridge that the %s started goes on, and ends the app's own", async (by) => {
	using home = temporaryHome();
	{
		using _owned = ownAppHome(home.path);
		createAppToken(home.path);
	}
	const app = spawn("sleep", ["60"]);
	const pid = app.pid ?? 0;
	const child = spawn("sleep", ["60"], { detached: true });
	const bridgePid = child.pid ?? 0;
	const settings = by === "elsewhere" ? [{ key: "bridgeUrl", value: "https://bridge.example" }] : [];
	const answers: Readonly<Record<string, () => unknown>> = {
		"/api/ping": () => ({ pid: app.killed ? 0 : pid, runsAs: "background", endsBridge: by === "app", home: realpathSync(home.path) }),
		"/api/listThreads": () => [],
		"/api/listPlans": () => ({ items: [], feedSeq: 0 }),
		"/api/listSettings": () => ({ settings }),
		"/api/gatewayQueue": () => ({ active: [], waiting: [] }),
		"/api/endApp": () => void app.kill(),
	};
	const server = createServer((request, response) => {
		response.end(JSON.stringify({ result: answers[request.url ?? ""]?.() ?? {} }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
	writeEndpoint(appEndpointFile(home.path), { url, pid, startedAt: new Date(0).toISOString() });
	mkdirSync(join(home.path, "bridge"));
	const bridge = { url, pid: bridgePid, startedAt: new Date(0).toISOString() };
	if (by !== "elsewhere") writeEndpoint(bridgeEndpointFile(home.path), bridge);
	if (by === "app") noteOwnBridge(home.path, bridge);
	const console = new RecordingConsole();
	expect(await stopCommand({ home: home.path, console })).toBe(0);
	const goesOn = `The app has stopped. The bridge at ${url} (process ${bridgePid}), which was started separately, is still running.`;
	const elsewhere = "The bridge at https://bridge.example is not stopped with it, so its runs and plans continue.";
	const says = { user: goesOn, app: "XWorkmate has stopped.", elsewhere: `XWorkmate has stopped. ${elsewhere}` };
	expect(console.lines).toEqual([says[by]]);
	// The app was killed before it could end its bridge.
	expect(isAlive(bridgePid)).toBe(by !== "app");
	child.kill();
	server.closeAllConnections();
	server.close();
});

it("an app that accepts a connection and never answers isn't waited for without end", async () => {
	using home = temporaryHome();
	{
		using _owned = ownAppHome(home.path);
		createAppToken(home.path);
	}
	const suspended = createServer(() => undefined);
	await new Promise<void>((resolve) => suspended.listen(0, "127.0.0.1", resolve));
	const address = suspended.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	writeEndpoint(appEndpointFile(home.path), { url: `http://127.0.0.1:${port}`, pid: process.pid, startedAt: new Date().toISOString() });
	expect(await findRunningApp(home.path)).toBeUndefined();
	suspended.closeAllConnections();
	suspended.close();
});
