import { expect, it } from "vitest";
import type { SettingRow } from "../../../src/api/setting-view.ts";
import { secretWords, settingLine } from "../../../src/cli/config/setting-lines.ts";
import { readSettingList } from "../../../src/settings/read-setting-list.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

/** A setting of a home without any, changed. */
async function rowOf(key: string, changes: Partial<SettingRow>): Promise<SettingRow> {
	using home = temporaryHome();
	const row = (await readSettingList({ home: home.path, env: {} })).settings.find((one) => one.key === key);
	if (row === undefined) throw new Error(`${key} is not a setting`);
	return { ...row, ...changes };
}

it.each<[string, Partial<SettingRow>, string]>([
	["is known", { waits: "bridge", next: { source: "file", value: 9_000 } }, "9000 takes effect after a restart"],
	["is not known", { waits: "bridge" }, "the new value takes effect after a restart"],
	[
		"can't be applied",
		{ waits: "correction", next: { source: "file", value: 9_000 } },
		"9000 can't take effect until the settings are corrected",
	],
])("a list says which value waits, and for what, if it %s", async (_, changes, said) => {
	expect(settingLine(await rowOf("heartbeatMs", changes))).toBe(`heartbeatMs = 10000  (default; ${said})`);
});

it.each<[string, Partial<SettingRow>, string]>([
	[
		"removed",
		{ source: "file", next: { source: "default" } },
		"discordToken is set, but its value is never shown. Its removal takes effect after a restart.",
	],
	["stored", { next: { source: "file" } }, "discordToken is not set. The new value takes effect after a restart."],
])("a secret that was %s and waits is not said to be only as it is in effect", async (_, changes, said) => {
	expect(secretWords(await rowOf("discordToken", { waits: "bridge", ...changes }))).toBe(said);
});
