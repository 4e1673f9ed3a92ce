import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSettingList } from "../../src/settings/read-setting-list.ts";
import { temporaryHome } from "../support/temporary-home.ts";

/** What the list says of the app's address, for an app that listens on `started`. */
async function appListen(started: string, file: Readonly<Record<string, string>> = {}) {
	using home = temporaryHome();
	writeFileSync(join(home.path, "config.json"), JSON.stringify(file));
	const { settings } = await readSettingList({ home: home.path, env: {}, started: { XWORKMATE_APP_LISTEN: started } });
	const { value, source, waits } = settings.find(({ key }) => key === "appListen") ?? {};
	return { value, source, waits };
}

it("an address that nothing sets does not wait for a restart while the app listens on the default", async () => {
	expect(await appListen("127.0.0.1:8788")).toEqual({ value: "127.0.0.1:8788", source: "default", waits: undefined });
});

it("an address that is spelled in another way is the same address", async () => {
	expect(await appListen("[::1]:8788", { appListen: "::1:8788" })).toMatchObject({ waits: undefined });
});

it("an address waits for a restart once config.json has another one, or has it no longer", async () => {
	expect(await appListen("127.0.0.1:8788", { appListen: "127.0.0.1:8790" })).toMatchObject({ value: "127.0.0.1:8788", waits: "app" });
	expect(await appListen("127.0.0.1:8790")).toMatchObject({ value: "127.0.0.1:8790", waits: "app" });
});

it("names a variable of the environment that has no valid value, and shows none", async () => {
	using home = temporaryHome();
	const { settings, problem } = await readSettingList({ home: home.path, env: { XWORKMATE_MAX_ACTIVE_RUNS: "abc" } });
	expect(settings.find(({ key }) => key === "maxActiveRuns")).not.toHaveProperty("value");
	expect(problem?.message).toBe("XWORKMATE_MAX_ACTIVE_RUNS must be a whole number from 1 to 1000.");
	expect(problem?.fix).toMatch(/^Unset it, or give it a valid value: /);
});
