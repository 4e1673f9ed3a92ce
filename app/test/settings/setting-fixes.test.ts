import { readFileSync } from "node:fs";
import { settings } from "@xworkmate/platform/settings";
import { expect, it } from "vitest";
import { settingFormWords } from "../../src/strings/settings/setting-form-words.ts";
import { settingsPageWords } from "../../src/strings/settings/settings-page-words.ts";

const files = [
	"bridge/src/channels/discord/post-outcome.ts",
	"bridge/src/operator/discord/discord-status.ts",
	"bridge/src/providers/openclaw/gateway/connect-problem.ts",
	"contracts/src/openclaw/gateway-not-set-up.ts",
	"openclaw-plugins/src/doctor/diagnose.ts",
];

it.each(files)("what %s says to do names a setting and its page, and no variable of the environment", (file) => {
	const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
	expect(text.match(/\bXWORKMATE_\w+/g) ?? []).toEqual([]);
	const pages = [...text.matchAll(/under Settings > (\w+)/g)].map(([, page = ""]) => page);
	const parts: readonly string[] = Object.values(settingsPageWords.parts);
	expect(pages.length).toBeGreaterThan(0);
	expect(pages.filter((page) => !parts.includes(page))).toEqual([]);
	const keys = new Set(settings.map(({ key }) => key));
	const named = text.match(/\b(?:openclaw|discord)(?:Url|Token|Untested|Approvers)\b/g) ?? [];
	expect(named.filter((key) => !keys.has(key))).toEqual([]);
	// On the page, the field that is meant has this name.
	const fields = Object.values(settingFormWords.names).filter((name) => text.includes(`"${name}"`) || text.includes(` > ${name}`));
	expect(named.length + fields.length).toBeGreaterThan(0);
});
