import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { changeSetting, storeSecret } from "../../src/settings/change-setting.ts";

it.each([
	["maxActiveRun", 3, "Did you mean maxActiveRuns?"],
	["maxActiveRuns", -3, "maxActiveRuns must be a whole number from 1 to 1000."],
	["maxActiveRuns", "-3", "maxActiveRuns must be a whole number from 1 to 1000."],
	["maxActiveRuns", 0, "maxActiveRuns must be a whole number from 1 to 1000."],
	["allowedRoots", ["src"], "allowedRoots must be an absolute path."],
	["--home", "/tmp", "Set XWORKMATE_HOME in the environment."],
	["openclawToken", "hunter2hunter2", "config secret openclawToken"],
	["XWORKMATE_TOKEN", "hunter2hunter2", "Set XWORKMATE_TOKEN in the environment."],
])("a value of %s that can't be in config.json is refused, and nothing is written", async (name, value, said) => {
	const home = await mkdtemp(join(tmpdir(), "change-setting-"));
	const error = await changeSetting(home, name, value).catch((refused: unknown) => refused);
	if (!(error instanceof AppError)) throw new Error("it was not refused", { cause: error });
	expect(`${error.message} ${error.fix}`).toContain(said);
	expect(`${error.message} ${error.fix}`).not.toContain("hunter2");
	expect(existsSync(join(home, "config.json"))).toBe(false);
	await rm(home, { recursive: true });
});

it.each([
	["maxActiveRuns", "x", "is not a secret."],
	["token", "hunter2hunter2", "can only be set in the environment."],
	["discordToken", "two words", "must be printable ASCII without spaces."],
	["openclawToken", "", "must not be empty."],
])("a secret for %s that can't be stored is refused", async (name, secret, said) => {
	await expect(storeSecret("/nowhere", name, secret)).rejects.toThrow(said);
});

it.each([
	["", "Run the command again, and paste the secret or pass it on standard input."],
	["two words", "Copy only the secret, and paste it once."],
])("an empty secret is asked for again, and a secret with something else in it, alone: %j", async (secret, fix) => {
	await expect(storeSecret("/nowhere", "discordToken", secret)).rejects.toMatchObject({ fix });
});

it.each([
	["x", "Set a value instead: npm run -s xworkmate -- config set maxActiveRuns VALUE"],
	[undefined, "Remove its value from config.json: npm run -s xworkmate -- config unset maxActiveRuns"],
])("what is not a secret is set or removed as a setting: %j", async (secret, fix) => {
	await expect(storeSecret("/nowhere", "maxActiveRuns", secret)).rejects.toMatchObject({ fix });
});

it.each([
	["token", "x", "Set XWORKMATE_TOKEN in the environment."],
	["token", undefined, "Unset XWORKMATE_TOKEN in the environment."],
	["home", "x", "Set XWORKMATE_HOME in the environment."],
	["home", undefined, "Unset XWORKMATE_HOME in the environment."],
])("what only the environment can hold is set or unset there: %s, %j", async (name, secret, fix) => {
	await expect(storeSecret("/nowhere", name, secret)).rejects.toMatchObject({ fix });
});
