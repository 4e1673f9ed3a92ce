import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { notAnswering, show, uninstall } from "../../../src/cli/app/service-command.ts";
import { applyConfig } from "../../../src/cli/config/config-commands.ts";
import { appEndpointFile, findRunningApp } from "../../../src/process/app/running-app.ts";
import { writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
import { serviceProgram } from "../../../src/process/service/service-program.ts";
import { userService } from "../../../src/process/service/user-service.ts";
import { createAppToken } from "../../../src/server/access/app-token.ts";
import { readSettingList } from "../../../src/settings/read-setting-list.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "before-stop-"));
	mkdirSync(dirname(appEndpointFile(home)), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const thread = {
	threadId: "tidy-1",
	title: "tidy up",
	pendingTurnId: "turn-1",
	turns: [{ turnId: "turn-1", status: "running", runId: "run-1" }],
};
const named = "  tidy up (tidy-1): will be interrupted, unless it ends first or can continue the next time the bridge starts";

/** An app of this home with one active run; `told` gets each request. */
async function app(runsAs: "service" | "terminal", told: (path: string) => void = () => undefined, endsBridge = true) {
	const settings = await readSettingList({ home, env: {}, started: {} });
	const rows = settings.settings.map((row) => (row.key === "heartbeatMs" ? { ...row, waits: "bridge" as const } : row));
	const answers: Readonly<Record<string, unknown>> = {
		"/api/ping": { pid: process.pid, endsBridge, runsAs },
		"/api/listSettings": { ...settings, inEffect: true, settings: rows },
		"/api/listThreads": [thread],
		"/api/gatewayQueue": { active: [], waiting: [] },
		"/api/tasks": { items: [] },
		"/api/listPlans": { items: [], feedSeq: 0 },
	};
	const server = createServer((request, response) => {
		told(request.url ?? "");
		response.end(JSON.stringify({ result: answers[request.url ?? ""] ?? {} }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	createAppToken(home);
	writeEndpoint(appEndpointFile(home), { url, pid: process.pid, startedAt: new Date(0).toISOString() });
	return { [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}

/** An installed service of this home, with the orders that the system got. */
async function installed(told: (order: string) => void = () => undefined, managerFolder = home) {
	const parts = { platform: "linux", userHome: home, userId: 501, userName: "ann", lingerFolder: home } as const;
	const run = async (_: string, args: readonly string[]) => {
		told(args.join(" "));
		return { code: 0, output: "" };
	};
	const { program } = serviceProgram([process.execPath, "/xworkmate.js", "start"], { XWORKMATE_HOME: home });
	await userService({ ...parts, managerFolder: home, run }).install(program);
	return userService({ ...parts, managerFolder, run });
}

it("service uninstall names the runs that end with the service before it stops it, and does not call files unchanged", async () => {
	await using _app = await app("service");
	const console = new RecordingConsole();
	let noted: readonly string[] = [];
	const service = await installed((order) => {
		if (order.includes("disable --now")) noted = [...console.notes];
	});
	expect(await uninstall({ console }, service, findRunningApp)).toBe(0);
	expect(noted).toEqual(["Stopping. 1 run on this computer is in progress:", named]);
	expect(console.lines).toEqual(["The service was stopped and removed. Your threads and files are kept."]);
});

it("service status says also as JSON that the service's app doesn't respond, and says so of no other service", async () => {
	const service = async (state: "running" | "stopping") => ({ ...(await installed()), isInstalled: true, state: async () => state });
	const shown = async (state: "running" | "stopping", asJson = true) => {
		const console = new RecordingConsole();
		expect(await show({ home, console }, await service(state), asJson)).toBe(0);
		return console.lines.join();
	};
	expect(JSON.parse(await shown("running"))).toMatchObject({ state: "running", silent: true });
	expect(await shown("running", false)).toContain("XWorkmate isn't responding yet.");
	expect(JSON.parse(await shown("stopping"))).not.toHaveProperty("silent");
	expect(await shown("stopping", false)).toMatch(/\. It is stopping\.$/);
	await using _app = await app("service");
	expect(JSON.parse(await shown("running"))).not.toHaveProperty("silent");
});

it.each<[string, "service" | "terminal", (home: string) => string]>([
	["another process has the home", "terminal", (folder) => folder],
	["the user's systemd doesn't run", "service", (folder) => join(folder, "none")],
])("service uninstall names no runs if %s, because it ends none", async (_, runsAs, managerFolder) => {
	await using _app = await app(runsAs);
	const console = new RecordingConsole();
	await uninstall({ console }, await installed(undefined, managerFolder(home)), findRunningApp);
	expect(console.notes).toEqual([]);
});

it("service uninstall removes the service even if its app can't be looked up, and names no runs", async () => {
	const console = new RecordingConsole();
	const refused = () => Promise.reject(new Error("The app's token can be read by other users."));
	expect(await uninstall({ console }, await installed(), refused)).toBe(0);
	expect([console.notes, console.lines]).toEqual([[], ["The service was stopped and removed. Your threads and files are kept."]]);
});

it("config apply does not say that it restarts a bridge that the app did not start, which is refused", async () => {
	const console = new RecordingConsole();
	let noted: readonly string[] | undefined;
	const told = (path: string) => {
		if (path === "/api/restartBridge") noted = [...console.notes];
	};
	await using _app = await app("terminal", told, false);
	await applyConfig({ home, env: {}, console });
	expect(noted).toEqual([]);
});

it("config apply names the runs that end with the bridge before it restarts it", async () => {
	const console = new RecordingConsole();
	let noted: readonly string[] = [];
	await using _app = await app("terminal", (path) => {
		if (path === "/api/restartBridge") noted = [...console.notes];
	});
	expect(await applyConfig({ home, env: {}, console })).toBe(0);
	expect(noted).toEqual(["Restarting the bridge. 1 run on this computer is in progress:", named]);
	expect(console.lines).toEqual(["The bridge was restarted and now uses these settings."]);
});

it("a service that is about to be started again is not said to have ended more than once, because that isn't known", () => {
	expect(notAnswering("restarting")).toMatch(/^It ended with an error\. The system is about to start it again\. To see why: /);
});
