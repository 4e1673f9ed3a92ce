import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ProviderId } from "@xworkmate/contracts";
import { readConfigFile } from "@xworkmate/platform/settings";
import { expect, it } from "vitest";
import type { HomeLine } from "../../../src/api/app-api.ts";
import type { Finding } from "../../../src/api/ui-api.ts";
import { type DoctorDeps, doctorCommand } from "../../../src/cli/app/doctor-command.ts";
import { readSettings } from "../../../src/config/settings.ts";
import { AppError } from "../../../src/errors/app-error.ts";
import { readSettingList } from "../../../src/settings/read-setting-list.ts";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

const openclaw = { maxActive: 2, maxQueued: 20 };
const healthy = fakeCapabilities(openclaw, { available: true });
const gatewayQueue = { limits: openclaw, active: [], waiting: [] };

/** What doctor prints in a fresh home, and the code it ends with. */
async function examined({
	listen = "127.0.0.1:0",
	json = false,
	verify = false,
	variables = {},
	...more
}: Partial<DoctorDeps> & { listen?: string; json?: boolean; verify?: boolean; variables?: Readonly<Record<string, string>> } = {}) {
	using home = temporaryHome();
	const console = new RecordingConsole();
	const settings = readSettings({ XWORKMATE_HOME: home.path, XWORKMATE_APP_LISTEN: listen, ...variables });
	const deps: DoctorDeps = {
		settings,
		console,
		runningBridge: async () => "http://127.0.0.1:1",
		runningApp: async () => undefined,
		silentOwner: async () => undefined,
		ask: async () => ({ capabilities: healthy, gatewayQueue }),
		asked: (use) => use(linesOf([])),
		stop: new AbortController().signal,
		...more,
	};
	return { code: await doctorCommand(deps, { json, verify }), lines: console.lines };
}

async function* linesOf(findings: readonly Finding[]): AsyncGenerator<HomeLine> {
	for (const finding of findings) yield { type: "finding", finding };
	yield { type: "ended" };
}

const aboutBridge = ({ lines }: { readonly lines: readonly string[] }) =>
	lines.filter((line, index) => line.includes(" bridge: ") || lines[index - 1]?.includes(" bridge: "));

it("says what works, and ends with 0 where nothing is a problem", async () => {
	const { code, lines } = await examined();
	// The disk is that of the machine that runs this.
	const problems = lines.filter((line) => line.startsWith("PROBLEM"));
	expect(problems.filter((line) => !line.includes(" disk: "))).toEqual([]);
	expect(code).toBe(problems.length === 0 ? 0 : 1);
	expect(lines).toContain("ok       bridge: Running at http://127.0.0.1:1.");
	expect(lines).toContain("ok       gateway openclaw: OpenClaw is ready.");
});

it("names a default agent that does not exist, and a project folder on this computer alone", async () => {
	const { settings } = await readSettingList({
		home: "/nowhere",
		env: { XWORKMATE_DEFAULT_PROVIDER: "nope", XWORKMATE_ALLOWED_ROOTS: "/nope" },
	});
	const ofBridge = async (url?: string) => {
		const used = settings.map((row) => (row.key === "bridgeUrl" && url !== undefined ? { ...row, value: url } : row));
		const { code, lines } = await examined({ ask: async () => ({ capabilities: healthy, gatewayQueue, settings: used }) });
		return [code, lines.filter((line) => line.includes("nope"))];
	};
	const agent = "PROBLEM  default agent: The default agent is nope, but there is no agent with this id.";
	expect(await ofBridge()).toEqual([1, [agent, "note     project folder: /nope does not exist."]]);
	expect(await ofBridge("https://bridge.example")).toEqual([1, [agent]]);
});

it("names what is wrong in config.json although an app runs, because the next command will be refused for it", async () => {
	using home = temporaryHome();
	writeFileSync(join(home.path, "config.json"), '{"maxActiveRuns":3,\n"typo":1}', { mode: 0o600 });
	const settings = readSettings({ XWORKMATE_HOME: home.path }, await readConfigFile(home.path));
	const { code, lines } = await examined({ settings });
	const at = lines.findIndex((line) => line.startsWith("PROBLEM  config.json: "));
	expect(lines[at]).toContain(`${join(home.path, "config.json")}:2:`);
	expect(lines[at]).toContain("typo");
	expect(lines[at + 1]).toContain("Remove it.");
	expect(code).toBe(1);
});

it("ends with 1 where an agent of providers.json can't be read, also with --json", async () => {
	const unavailable = { code: "PROVIDER_MISCONFIGURED", message: "/x/providers.json:3: It is wrong.", fix: "Correct it." };
	const features = { approvals: false, followUp: false, resume: false, attachments: false };
	const broken = { providerId: ProviderId.parse("mine"), label: "mine", target: "agent", available: false, features, unavailable } as const;
	const ask = async () => ({ capabilities: { ...healthy, providers: [...healthy.providers, broken] }, gatewayQueue });
	const { code, lines } = await examined({ ask });
	expect(lines).toContain("PROBLEM  agent mine: /x/providers.json:3: It is wrong. (PROVIDER_MISCONFIGURED)");
	expect(lines).toContain("         Correct it.");
	expect(code).toBe(1);
	const inJson = await examined({ ask, json: true });
	expect(inJson.code).toBe(1);
	expect(JSON.parse(inJson.lines[0] ?? "")).toContainEqual(expect.objectContaining({ about: "agent mine", state: "problem" }));
});

it("says that a bridge was started for the check, and why one that runs gives no answer", async () => {
	const started = await examined({ runningBridge: async () => undefined, variables: { XWORKMATE_BACKGROUND: "0" } });
	expect(aboutBridge(started)).toEqual([
		"note     bridge: It was not running, so it was started for this check.",
		"         To keep it running until you stop it: npm start",
	]);
	const stays = await examined({ runningBridge: async () => undefined, variables: { XWORKMATE_BACKGROUND: "1" } });
	expect(aboutBridge(stays)[0]).toBe(
		"note     bridge: It was not running, so it was started for this check, and keeps running with the app in the background.",
	);
	// The app had started its bridge again by the time that it was asked.
	const restarted = await examined({ runningBridge: async () => undefined, runningApp: async () => runningAt(1) });
	expect(aboutBridge(restarted)[0]).toBe("note     bridge: It wasn't responding when this check began, but it is now.");
	const failing = await examined({ ask: () => Promise.reject(new AppError("BRIDGE_NOT_RUNNING", "It is away", "Wait")) });
	expect(aboutBridge(failing)).toContain("PROBLEM  bridge: It is away. (BRIDGE_NOT_RUNNING)");
	expect(failing.code).toBe(1);
});

it("says that the app was started in the background only if it was", async () => {
	const [broken, works] = [() => Promise.reject(new AppError("CONFIG_REFUSED", "It is broken.", "Correct it.")), undefined];
	const background = async (ask: DoctorDeps["ask"] | undefined, after: Awaited<ReturnType<DoctorDeps["runningApp"]>>) => {
		let asked = 0;
		const runningApp = async () => (asked++ === 0 ? undefined : after);
		const { lines } = await examined({ variables: { XWORKMATE_BACKGROUND: "1" }, runningApp, ...(ask && { ask }) });
		return lines.filter((line, index) => line.includes(" app: ") || lines[index - 1]?.includes(" app: ")).join("\n");
	};
	const failed = await background(broken, undefined);
	expect(failed).toContain("note     app: Not running. It could not be started for this check; see below for the reason.");
	expect(failed).not.toContain("Stop it");
	expect(await background(works, { url: "http://127.0.0.1:2", process: { pid: 4711, runsAs: "background" } })).toMatch(
		/This check started it in the background\.\n *Stop it: /,
	);
});

it("says that an app isn't responding rather than that none is running", async () => {
	const silentOwner = async () => ({ pid: 4711 });
	const { code, lines } = await examined({ silentOwner });
	const at = lines.findIndex((line) => line.includes(" app: "));
	expect(lines[at]).toMatch(/^PROBLEM {2}app: XWorkmate is using this data folder but isn't responding \(process 4711\)\./);
	expect(lines[at + 1]).toContain("If it is stuck, end process 4711.");
	expect(code).toBe(1);
});

it("says how an app runs that was starting when the check began", async () => {
	let asked = 0;
	const runningApp = async () => (asked++ === 0 ? undefined : runningAt(1));
	for (const variables of [{}, { XWORKMATE_BACKGROUND: "1" }]) {
		asked = 0;
		expect((await examined({ runningApp, variables })).lines).toContain("ok       app: Running in a terminal (process 4711).");
	}
});

const runningAt = (port: number) => ({ url: `http://127.0.0.1:${port}`, process: { pid: 4711, runsAs: "terminal" } }) as const;

it("says whose a port is only as far as that is known", async () => {
	expect((await examined()).lines).toContain("ok       port: The app uses any free port.");
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	try {
		const listen = `127.0.0.1:${port}`;
		const own = await examined({ listen, runningApp: async () => runningAt(port) });
		expect(own.lines).toContain(`ok       port ${port}: In use by XWorkmate.`);
		const elsewhere = await examined({ listen, runningApp: async () => runningAt(1) });
		const words = `port ${port}: The app can't listen on ${listen} because another program is using it.`;
		expect(elsewhere.lines).toContain(`note     ${words}`);
		const taken = await examined({ listen });
		expect(taken.lines).toContain(`PROBLEM  ${words}`);
		expect(taken.code).toBe(1);
	} finally {
		server.close();
	}
});

it("says where the page is, and doesn't offer a free port to an app that listens elsewhere", async () => {
	const port = 21_111;
	const listen = `127.0.0.1:${port}`;
	const { lines, code } = await examined({
		listen,
		runningApp: async () => ({ ...runningAt(21_112), url: "http://127.0.0.1:21112/?key=secret" }),
	});
	const at = lines.indexOf("ok       page: At http://127.0.0.1:21112.");
	expect(lines[at + 1]).toMatch(/^ +Open it: .*open$/);
	expect(lines).toContain(
		`note     port ${port}: Free, but the app is running at http://127.0.0.1:21112. It will use this port after a restart with these settings.`,
	);
	expect([lines.join().includes("secret"), code]).toEqual([false, 0]);
	const command = await examined({
		listen,
		runningApp: async () => ({ ...runningAt(21_112), process: { pid: 1, runsAs: "command" } as const }),
	});
	expect(command.lines).toContain(`ok       port ${port}: Free for the app.`);
	for (const other of [command, await examined({ listen })]) expect(other.lines.join()).not.toContain(" page: ");
});

it("names no other program for an address that this computer doesn't have", async () => {
	using home = temporaryHome();
	// An address for documentation, which no computer has.
	const settings = { ...readSettings({ XWORKMATE_HOME: home.path }), listen: { host: "192.0.2.1", port: 8790 } };
	const { lines } = await examined({ settings, runningApp: async () => runningAt(8790) });
	expect(lines).toContain("note     port 8790: The app can't listen on 192.0.2.1:8790 because this computer has no such address.");
});

it("says that a port is in use by the app that was started for the check", async () => {
	const port = 21_110;
	let isStarted = false;
	const { lines } = await examined({
		listen: `127.0.0.1:${port}`,
		variables: { XWORKMATE_BACKGROUND: "1" },
		runningApp: async () => (isStarted ? { url: `http://127.0.0.1:${port}`, process: { pid: 4711, runsAs: "background" } } : undefined),
		ask: async () => {
			isStarted = true;
			return { capabilities: healthy, gatewayQueue };
		},
	});
	expect(lines).toContain("note     app: It was not running. This check started it in the background.");
	expect(lines.filter((line) => line.includes(" port "))).toEqual([`ok       port ${port}: In use by XWorkmate.`]);
});

it("--verify adds what the app verifies, and ends with 1 for a finding of it", async () => {
	const problem: Finding = { about: "thread files", state: "problem", message: "a.txt is missing.", fix: "Get it again." };
	const { code, lines } = await examined({ verify: true, asked: (use) => use(linesOf([problem])) });
	expect(lines).toContain("PROBLEM  thread files: a.txt is missing.");
	expect(code).toBe(1);
	expect((await examined({ asked: (use) => use(linesOf([problem])) })).lines.join()).not.toContain("thread files");
});

it("--verify says what was not verified while there is no app", async () => {
	const asked = () => Promise.reject(new AppError("APP_DATABASE_DAMAGED", "It is damaged.", "Restore it."));
	const { code, lines } = await examined({ verify: true, asked });
	expect(lines).toContain(
		"PROBLEM  thread files: The threads' files and the receipts were not verified: It is damaged. (APP_DATABASE_DAMAGED)",
	);
	expect(code).toBe(1);
});

it("a verification that is stopped has no result", async () => {
	const stop = new AbortController();
	stop.abort(new Error("stopped"));
	await expect(examined({ verify: true, stop: stop.signal })).rejects.toThrow("stopped");
});

it.each([
	["background", true, ["This check started XWorkmate in the background.", "  Stop it: npm run -s xworkmate -- stop"]],
	["background", false, ["No stored data was changed."]],
	["terminal", true, ["No stored data was changed."]],
] as const)("a verification that is stopped names the app that it started: %s, %s", async (runsAs, isFromCheck, [lead, ...more]) => {
	const stop = new AbortController();
	const console = new RecordingConsole();
	let isRunning = !isFromCheck;
	const runningApp: DoctorDeps["runningApp"] = async () =>
		isRunning ? { url: "http://127.0.0.1:1", process: { pid: 4711, runsAs } } : undefined;
	const ask = async () => {
		isRunning = true;
		return { capabilities: healthy, gatewayQueue };
	};
	const asked = async () => {
		stop.abort(new Error("stopped"));
		stop.signal.throwIfAborted();
	};
	await expect(examined({ verify: true, console, runningApp, ask, asked, stop: stop.signal })).rejects.toThrow("stopped");
	expect(console.notes.slice(-1 - more.length)).toEqual([`Stopped before everything was verified. ${lead}`, ...more]);
});
