import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CommandOptions, runCommand } from "../../support/app/command.ts";
import { startApp } from "../../support/app/started-app.ts";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";

const Row = z.looseObject({ key: z.string(), source: z.string(), value: z.unknown().optional(), waits: z.string().optional() });
const List = z.looseObject({ path: z.string(), settings: z.array(Row), inEffect: z.boolean() });

const config = (home: TemporaryHome, args: readonly string[], options?: CommandOptions) => runCommand(home, ["config", ...args], options);
const fileOf = (home: TemporaryHome) => join(home.xworkmate, "config.json");
const textOf = (home: TemporaryHome) => readFile(fileOf(home), "utf8");

async function rowOf(home: TemporaryHome, key: string) {
	return Row.parse(JSON.parse((await config(home, ["get", key, "--json"])).stdout));
}

describe("config, without an app", () => {
	it("writes, shows and removes settings, and says where each comes from", async () => {
		await using home = await temporaryHome();
		expect((await config(home, ["path"])).stdout.trim()).toBe(fileOf(home));
		const set = await config(home, ["set", "allowCommands", "git status", "npm test"]);
		expect([set.code, set.stdout]).toEqual([0, 'Saved. When XWorkmate starts, allowCommands will be ["git status","npm test"].\n']);
		expect((await config(home, ["get", "--", "--allow-commands"])).stdout).toBe("git status\nnpm test\n");
		expect((await stat(fileOf(home))).mode & 0o777).toBe(0o600);
		const env = { XWORKMATE_MAX_QUEUED: "3" };
		const stronger = await config(home, ["set", "maxQueued", "4"], { env });
		expect(stronger.stdout).toContain(
			"the environment variable XWORKMATE_MAX_QUEUED takes precedence over config.json: maxQueued stays 3.",
		);
		const listed = List.parse(JSON.parse((await config(home, ["list", "--json"], { env })).stdout));
		const from = Object.fromEntries(listed.settings.map(({ key, source }) => [key, source]));
		expect(from).toMatchObject({ maxQueued: "environment", allowCommands: "file", maxPlans: "default", home: "environment" });
		const unset = await config(home, ["unset", "XWORKMATE_MAX_QUEUED"]);
		expect(unset.code).toBe(0);
		expect(unset.stdout).toMatch(/^Removed\. When XWorkmate starts, maxQueued will be \d+, the default\.$/m);
		expect((await config(home, ["unset", "maxQueued"])).stdout).toContain(
			"The setting was not in config.json. When XWorkmate starts, maxQueued will be ",
		);
		const overruled = await config(home, ["unset", "maxQueued"], { env });
		expect(overruled.stdout).toContain(
			"The setting was not in config.json. The environment variable XWORKMATE_MAX_QUEUED sets maxQueued to 3.",
		);
		expect(JSON.parse(await textOf(home))).toEqual({ allowCommands: ["git status", "npm test"] });
	});

	it("does not say that no bridge is running beside one that the user started, whose settings may be others", async () => {
		await using home = await temporaryHome();
		expect((await config(home, ["list"])).stderr).toContain("No bridge is running.");
		await using bridge = await startBridge({ home, env: { XWORKMATE_MAX_QUEUED: "3" } });
		const { stderr } = await config(home, ["list"]);
		expect(stderr).not.toContain("No bridge is running.");
		expect(stderr).toContain(`A bridge is running at ${bridge.url}, but the app isn't running.`);
	});

	it("refuses what is unknown or secret, names the fix and writes nothing", async () => {
		await using home = await temporaryHome();
		for (const [args, exit, said] of [
			[["set", "maxActiveRun", "3"], 2, "Did you mean maxActiveRuns?"],
			[["set", "openclawToken", "hunter2hunter2"], 2, "config secret openclawToken"],
			// A file that has it after all is cleared of it, so this is not wrong in every home.
			[["unset", "openclawToken"], 1, "config secret openclawToken --remove"],
		] as const) {
			const { code, stdout, stderr } = await config(home, args);
			expect([code, stdout]).toEqual([exit, ""]);
			expect(stderr).toContain(said);
			expect(stderr).not.toContain("hunter2");
		}
		await expect(stat(fileOf(home))).rejects.toThrow("ENOENT");
	});

	it("stores a secret for its owner alone, and never shows it", async () => {
		await using home = await temporaryHome();
		const stored = await config(home, ["secret", "openclawToken"], { stdin: "hunter2hunter2\n" });
		const file = join(home.xworkmate, "bridge", "openclaw-token");
		expect([await readFile(file, "utf8"), (await stat(file)).mode & 0o777]).toEqual(["hunter2hunter2\n", 0o600]);
		const listed = await config(home, ["list"]);
		const got = await config(home, ["get", "openclawToken"]);
		expect(listed.stdout).toContain("openclawToken = set  (its own file)");
		expect([stored, listed, got].map(({ stdout, stderr }) => stdout + stderr).join("")).not.toContain("hunter2");
		await config(home, ["secret", "openclawToken", "--remove"]);
		await expect(stat(file)).rejects.toThrow("ENOENT");
	});
});

describe("a config.json that can't be used", () => {
	it.each([
		['{ "maxActiveRuns": 8', ":1:21: The file is not JSON"],
		// Half a write, a setting of a later version, and the file of another program.
		["{", ":1:2: The file is not JSON"],
		['{ "settingOfALaterVersion": 1 }', ':1:3: "settingOfALaterVersion" is not an XWorkmate setting.'],
		["[]", ":1:1: The file is not a JSON object."],
		['{ "openclawToken": "hunter2hunter2" }', ':1:3: "openclawToken" is a secret'],
	])("keeps the app and the bridge from starting, with its place and the fix, and is left as it was: %s", async (text, said) => {
		await using home = await temporaryHome();
		await writeFile(fileOf(home), text);
		for (const args of [["start"], ["bridge"], ["config", "list"]]) {
			const { code, stdout, stderr } = await runCommand(home, args);
			expect([args, code]).toEqual([args, 1]);
			expect(stdout + stderr).toContain(`${fileOf(home)}${said}`);
			expect(stdout + stderr).not.toContain("hunter2");
		}
		expect(await textOf(home)).toBe(text);
	});

	it("is put right by command where that is possible", async () => {
		await using home = await temporaryHome();
		await writeFile(fileOf(home), '{ "maxActiveRunz": 8, "maxQueued": 9 } // mine');
		expect((await config(home, ["unset", "maxActiveRunz"])).code).toBe(0);
		expect(await textOf(home)).toContain("// mine");
		expect((await config(home, ["list"])).code).toBe(0);
	});
});

it("a running XWorkmate applies what can apply at once, and restarts its bridge for the rest when it is told to", async () => {
	await using home = await temporaryHome();
	await using _app = await startApp(home, { XWORKMATE_MAX_PLANS: "50" });
	const { stdout } = await config(home, ["set", "maxActiveRuns", "9"]);
	expect(stdout).toBe("Saved. maxActiveRuns is 9 now.\n");
	const later = await config(home, ["set", "heartbeatMs", "9000"]);
	expect(later.stdout).toBe("Saved. It is not in effect yet.\n");
	expect(later.stderr).toContain("Waiting for a restart of the bridge: heartbeatMs.");
	expect(await rowOf(home, "heartbeatMs")).toMatchObject({ source: "default", value: 10_000, waits: "bridge" });
	expect(await rowOf(home, "maxPlans")).toMatchObject({ source: "environment", value: 50 });
	const applied = await config(home, ["apply"]);
	expect(applied.stdout).toBe("The bridge was restarted and now uses these settings.\n");
	expect(await rowOf(home, "heartbeatMs")).toMatchObject({ source: "file", value: 9_000 });
	// By an editor, and wrong: what was said before counts.
	await writeFile(fileOf(home), '{ "maxActiveRuns": 0 }');
	const wrong = await config(home, ["list"]);
	expect([wrong.code, wrong.stderr.includes(':1:20: "maxActiveRuns" must be a whole number from 1 to 1000.')]).toEqual([1, true]);
	expect(wrong.stdout).toContain("maxActiveRuns = 9  (config.json)");
}, 240_000);
