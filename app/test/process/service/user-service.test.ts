import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { notInstalledWords } from "../../../src/cli/app/service-command.ts";
import { serviceProgram } from "../../../src/process/service/service-program.ts";
import { awaitStart } from "../../../src/process/service/service-start.ts";
import { serviceStatus } from "../../../src/process/service/service-status.ts";
import { type RunProgram, type ServiceState, userService } from "../../../src/process/service/user-service.ts";

const ANALYZE = "/usr/bin/systemd-analyze";

let userHome: string;
let orders: string[];
let managerFolder: string;

beforeEach(async () => {
	userHome = await mkdtemp(join(tmpdir(), "service-"));
	orders = [];
	managerFolder = userHome;
});

afterEach(() => rm(userHome, { recursive: true }));

/** The system's own program, which is outside of this project: it notes what it is told and answers. */
const system =
	(answers: Readonly<Record<string, { code: number; output: string }>> = {}): RunProgram =>
	async (program, args) => {
		const typed = [program, ...args].join(" ");
		orders.push(typed);
		return answers[typed] ?? { code: 0, output: "" };
	};

const service = (platform: NodeJS.Platform, run = system()) =>
	userService({ platform, userHome, userId: 501, userName: "ann", managerFolder, lingerFolder: join(userHome, "linger"), run });

function programOf(env: Record<string, string> = {}) {
	const node = process.execPath;
	return serviceProgram([node, '/a folder/with $HOME, 100% and "quotes"/xworkmate.js', "start"], { PATH: "/usr/bin:/my bin", ...env });
}

describe("systemd", () => {
	test("is installed with a file that only the user reads, and started", async () => {
		const installed = service("linux");
		expect(installed.isInstalled).toBe(false);
		await installed.install(programOf().program);
		expect(installed.isInstalled).toBe(true);
		expect((await stat(installed.path)).mode & 0o777).toBe(0o600);
		expect(await readdir(dirname(installed.path))).toEqual(["xworkmate.service"]);
		expect(orders).toEqual([
			"systemctl --user daemon-reload",
			"systemctl --user enable xworkmate.service",
			"systemctl --user restart xworkmate.service",
		]);
	});

	test.skipIf(!existsSync(ANALYZE))("has a file that systemd takes, with every character of its paths", async () => {
		const installed = service("linux");
		const awkward = { XWORKMATE_HOME: '/a $HOME/50%/\\back"quote' };
		const program = serviceProgram([process.execPath, "start"], { PATH: "/usr/bin", ...awkward }).program;
		await installed.install(program);
		const env = { ...process.env, XDG_RUNTIME_DIR: userHome };
		const { stderr } = await promisify(execFile)(ANALYZE, ["verify", "--user", "--man=no", installed.path], { env });
		expect(stderr).not.toContain("xworkmate.service");
	});

	test("its file keeps words apart and takes no specifier, no variable and no quote for its own", async () => {
		const installed = service("linux");
		await installed.install(programOf().program);
		const text = await readFile(installed.path, "utf8");
		expect(text).toContain(`ExecStart="${process.execPath}" "/a folder/with $$HOME, 100%% and \\"quotes\\"/xworkmate.js" "start"\n`);
		expect(text).toContain('Environment="PATH=/usr/bin:/my bin"\n');
		// The one-time link to the page is printed there.
		expect(text).toContain("StandardOutput=null\n");
	});

	test.each([
		["ActiveState=active\nSubState=running\n", "running"],
		["ActiveState=activating\nSubState=start-pre\n", "starting"],
		["ActiveState=activating\nSubState=auto-restart\n", "restarting"],
		["ActiveState=deactivating\nSubState=stop-sigterm\n", "stopping"],
		["ActiveState=inactive\nSubState=dead\n", "stopped"],
		["ActiveState=failed\nSubState=failed\n", "failed"],
		["Failed to connect to bus: No medium found", "unknown"],
	])("%j is said as %s", async (output, state) => {
		const show = "systemctl --user show --property=ActiveState,SubState xworkmate.service";
		expect(await service("linux", system({ [show]: { code: 0, output } })).state()).toBe(state);
	});

	test("without the user's systemd, it is refused before anything is written", async () => {
		managerFolder = join(userHome, "none");
		const refused = service("linux");
		await expect(refused.install(programOf().program)).rejects.toMatchObject({ code: "SERVICE_REFUSED" });
		expect(refused.isInstalled).toBe(false);
		expect(orders).toEqual([]);
		const words = notInstalledWords(refused);
		expect(words).toMatch(/^The service isn't installed, and can't be installed here\. Your user account isn't running systemd/);
		expect(words).toContain("in the background");
		expect(words).not.toContain("Install it");
		managerFolder = userHome;
		expect(notInstalledWords(service("linux"))).toMatch(/^The service isn't installed\. Install it: .*service install$/);
	});

	test("without the user's systemd, its files can be removed", async () => {
		const installed = service("linux");
		await installed.install(programOf().program);
		const wants = join(dirname(installed.path), "default.target.wants");
		await mkdir(wants);
		await symlink(installed.path, join(wants, "xworkmate.service"));
		managerFolder = join(userHome, "none");
		orders = [];
		expect(await service("linux").uninstall()).toBe(false);
		expect(orders).toEqual([]);
		expect(installed.isInstalled).toBe(false);
		expect(await readdir(wants)).toEqual([]);
	});

	test("an order that is not followed is said with the system's words, and the file stays for another try", async () => {
		const refusal = { code: 1, output: "Failed to connect to bus: No medium found\n" };
		const installed = service("linux", system({ "systemctl --user daemon-reload": refusal }));
		await expect(installed.install(programOf().program)).rejects.toMatchObject({
			code: "SERVICE_NOT_CONTROLLED",
			message: '"systemctl --user daemon-reload" failed: Failed to connect to bus: No medium found.',
			fix: "Run the command again in your own login session: npm run -s xworkmate -- service install",
		});
		expect(installed.isInstalled).toBe(true);
	});

	test("is stopped before its file is removed, and the file stays while it may run", async () => {
		const installed = service("linux");
		await installed.install(programOf().program);
		const stubborn = service("linux", system({ "systemctl --user disable --now xworkmate.service": { code: 1, output: "busy" } }));
		await expect(stubborn.uninstall()).rejects.toMatchObject({
			code: "SERVICE_NOT_CONTROLLED",
			message: '"systemctl --user disable --now xworkmate.service" failed: busy. The service may still be running, and its file was kept.',
			fix: "Run the command again in your own login session: npm run -s xworkmate -- service uninstall",
		});
		expect(installed.isInstalled).toBe(true);
		orders = [];
		expect(await installed.uninstall()).toBe(true);
		expect(installed.isInstalled).toBe(false);
		expect(orders).toEqual(["systemctl --user disable --now xworkmate.service", "systemctl --user daemon-reload"]);
	});
});

describe("a service whose removal fails half-way", () => {
	test("says that it is gone if only systemd did not reload, and how to do that", async () => {
		const installed = service("linux", system());
		await installed.install(programOf().program);
		const half = service("linux", system({ "systemctl --user daemon-reload": { code: 1, output: "no bus" } }));
		await expect(half.uninstall()).rejects.toMatchObject({
			code: "SERVICE_NOT_CONTROLLED",
			message: '"systemctl --user daemon-reload" failed: no bus. The service was stopped and its file was removed.',
			fix: "Reload systemd: systemctl --user daemon-reload",
		});
		expect(installed.isInstalled).toBe(false);
	});

	test.each(["linux", "darwin"] as const)("%s: says that it was stopped if only its file can't be removed", async (platform) => {
		const installed = service(platform);
		// A folder in its place can't be removed as a file, whoever asks.
		await mkdir(installed.path, { recursive: true });
		await expect(installed.uninstall()).rejects.toMatchObject({
			code: "SERVICE_NOT_CONTROLLED",
			message: expect.stringMatching(/^The service was stopped, but its file can't be removed: /),
		});
		expect(installed.isInstalled).toBe(true);
	});
});

describe("launchd", () => {
	const label = "launchctl print gui/501/xworkmate";
	const bootout = "launchctl bootout gui/501/xworkmate";

	test("is removed without an order if launchd has no such service, and not while it may run", async () => {
		const absent = { code: 113, output: 'Could not find service "xworkmate" in domain for user gui: 501\n' };
		const installed = service("darwin", system({ [label]: absent }));
		await installed.install(programOf().program);
		const silent = service("darwin", system({ [label]: { code: 1, output: "timed out" }, [bootout]: { code: 1, output: "timed out" } }));
		expect(await silent.state()).toBe("unknown");
		await expect(silent.uninstall()).rejects.toMatchObject({
			code: "SERVICE_NOT_CONTROLLED",
			message: `"${bootout}" failed: timed out. The service may still be running, and its file was kept.`,
		});
		expect(installed.isInstalled).toBe(true);
		orders = [];
		expect(await installed.state()).toBe("stopped");
		expect(await installed.uninstall()).toBe(false);
		expect(orders).toEqual([label, label]);
		expect(installed.isInstalled).toBe(false);
	});

	test("is loaded from a property list, anew if it was loaded", async () => {
		const installed = service("darwin", system({ [label]: { code: 113, output: "Could not find service" } }));
		await installed.install(serviceProgram(["/node", "/a & <b>.js"], { PATH: "/usr/bin" }).program);
		expect(await readFile(installed.path, "utf8")).toContain("<string>/a &amp; &lt;b&gt;.js</string>");
		expect(orders).toEqual([label, `launchctl bootstrap gui/501 ${installed.path}`]);
		orders = [];
		await service("darwin").install(programOf().program);
		expect(orders).toEqual([label, "launchctl bootout gui/501/xworkmate", `launchctl bootstrap gui/501 ${installed.path}`]);
	});

	test("is running only if launchd says so", async () => {
		expect(await service("darwin", system({ [label]: { code: 0, output: "\tstate = running\n" } })).state()).toBe("running");
		expect(await service("darwin", system({ [label]: { code: 0, output: "\tstate = not running\n" } })).state()).toBe("stopped");
	});
});

test.each(["linux", "darwin"] as const)("%s: the home of the service is read from its file, with every character", async (platform) => {
	const installed = service(platform);
	await installed.install(programOf({ XWORKMATE_HOME: '/a $HOME/50%/<&amp;>\\b"q' }).program);
	expect(await installed.home()).toBe('/a $HOME/50%/<&amp;>\\b"q');
	await installed.install(programOf().program);
	expect(await installed.home()).toBeUndefined();
});

test.each([
	["linux", true],
	["darwin", false],
] as const)("%s: starts with the computer if the user's systemd does: %s", async (platform, isSo) => {
	expect(service(platform).startsWithComputer).toBe(false);
	await mkdir(join(userHome, "linger", "ann"), { recursive: true });
	expect(service(platform).startsWithComputer).toBe(isSo);
});

test("a service is silent only if its own app doesn't answer in its own home", async () => {
	const installed = { state: async () => "running" as const, home: async (): Promise<string | undefined> => undefined };
	const isSilent = async (home: string, app: object) => {
		const seen = await serviceStatus(installed, "/default", async (asked) =>
			asked === home ? { process: { pid: 1, ...app } } : undefined,
		);
		expect(seen).toMatchObject({ state: "running", home: (await installed.home()) || "/default" });
		return seen.isSilent;
	};
	expect(await isSilent("/default", { runsAs: "service" })).toBe(false);
	expect(await isSilent("/default", { runsAs: "terminal" })).toBe(true);
	expect(await isSilent("/default", { runsAs: "background" })).toBe(true);
	// An earlier version.
	expect(await isSilent("/default", {})).toBe(false);
	expect(await isSilent("/other", { runsAs: "service" })).toBe(true);
	installed.home = async () => "";
	expect(await isSilent("/default", { runsAs: "service" })).toBe(false);
	installed.home = async () => "/other";
	expect(await isSilent("/other", { runsAs: "service" })).toBe(false);
});

test("no secret gets into a service's file, and each that is left out is named", () => {
	const secrets = { XWORKMATE_OPENCLAW_TOKEN: "s3cret", ANTHROPIC_API_KEY: "s3cret", OPENAI_API_KEY: "" };
	const { program, left, accounts } = programOf({ XWORKMATE_HOME: "/h", XWORKMATE_TLS_KEY: "/h/key.pem", ...secrets, LANG: "C" });
	// The key of the certificate is a path, without which the bridge would refuse the certificate.
	expect(program.environment).toEqual({ PATH: "/usr/bin:/my bin", XWORKMATE_HOME: "/h", XWORKMATE_TLS_KEY: "/h/key.pem" });
	expect(left).toEqual(["XWORKMATE_OPENCLAW_TOKEN"]);
	expect(accounts).toEqual(["ANTHROPIC_API_KEY"]);
	expect(JSON.stringify(program)).not.toContain("s3cret");
});

test("a value that no service's file can hold is refused", () => {
	expect(() => programOf({ XWORKMATE_HOME: "/h\nExecStart=/bin/evil" })).toThrow(expect.objectContaining({ code: "SERVICE_REFUSED" }));
});

test("another system is refused with what works", () => {
	expect(() => service("win32")).toThrow(expect.objectContaining({ code: "SERVICE_REFUSED" }));
});

/** Looks at a service whose states are given in turn, and whose app answers after the last of them if it `answers`. */
function watched(states: readonly ServiceState[], answers: boolean) {
	const left = [...states];
	let last: ServiceState = "unknown";
	return awaitStart({
		answers: async () => answers && left.length === 0,
		state: async () => {
			last = left.shift() ?? last;
			return last;
		},
		pause: async () => answers || left.length > 0,
	});
}

test("a service is started once its app answers, not when the system accepted it", async () => {
	expect(await watched(["starting", "running"], true)).toBe("answers");
	expect(await watched(["running", "running"], false)).toBe("running");
});

test("a service whose program ended with an error is not waited for", async () => {
	expect(await watched(["running", "restarting", "running"], true)).toBe("restarting");
	expect(await watched(["failed", "running"], true)).toBe("failed");
});
