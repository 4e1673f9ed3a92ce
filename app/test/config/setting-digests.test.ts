import { expect, it } from "vitest";
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
