import { expect, it } from "vitest";
import { misspelledWords } from "../../src/cli/words/different-settings-words.ts";
import { differentSettings, settingDigests } from "../../src/config/setting-digests.ts";

const digests = (env: Readonly<Record<string, string | undefined>>) => settingDigests(env, "key");

it("names the settings that differ or are set on one side alone, and no other", () => {
	const running = digests({ XWORKMATE_ALLOWED_ROOTS: "/a", XWORKMATE_TOKEN: "one", XWORKMATE_LOG_LEVEL: "debug" });
	const here = digests({ XWORKMATE_ALLOWED_ROOTS: "/b", XWORKMATE_TOKEN: "one", XWORKMATE_KEEP_MS: "1" });
	expect(differentSettings(running, here)).toEqual(["XWORKMATE_ALLOWED_ROOTS", "XWORKMATE_KEEP_MS", "XWORKMATE_LOG_LEVEL"]);
	expect(differentSettings(running, running)).toEqual([]);
});

it("takes what is empty as unset, and leaves out the home and what is no setting", () => {
	const plain = digests({ XWORKMATE_HOME: "/home", XWORKMATE_KEEP_MS: "", XWORKMATE_TOKEN: undefined, PATH: "/bin" });
	expect(plain).toEqual({});
});

it("holds no value, nor what one could be looked up by without the key", () => {
	const env = { XWORKMATE_TOKEN: "secret" };
	expect(JSON.stringify(digests(env))).not.toContain("secret");
	expect(settingDigests(env, "another key")).not.toEqual(digests(env));
});

it("leaves out a misspelled variable, which no process has as a setting, and names what it may be meant as", () => {
	const env = { XWORKMATE_SOMETHING_ELSE_ALTOGETHER: "1", XWORKMATE_LOG_LEVL: "debug", XWORKMATE_TOKEN: "one", PATH: "/bin" };
	expect(Object.keys(digests(env))).toEqual(["XWORKMATE_TOKEN"]);
	expect(misspelledWords(env)).toEqual([
		"XWORKMATE_SOMETHING_ELSE_ALTOGETHER is not an XWorkmate setting. Remove it from the environment.",
		"XWORKMATE_LOG_LEVL is not an XWorkmate setting. Did you mean XWORKMATE_LOG_LEVEL?",
	]);
	expect(misspelledWords({ XWORKMATE_TOKEN: "one", XWORKMATE_HOME: "/home" })).toEqual([]);
});
