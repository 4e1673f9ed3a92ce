import fc from "fast-check";
import { expect, it } from "vitest";
import { combineSettings } from "../../src/settings/combine-settings.ts";
import { jsonValueOf, settings, textOf } from "../../src/settings/setting-list.ts";

const numbers = settings.filter(({ form }) => form.kind === "number");
const texts = fc.dictionary(fc.constantFrom(...numbers.map(({ name }) => name)), fc.constantFrom("", "11", "12", "13"));

it("takes each setting from a flag before the environment, from that before the file, and otherwise the default", () => {
	fc.assert(
		fc.property(texts, texts, texts, (flags, environment, file) => {
			const places = { flags, environment, file };
			const maps = Object.fromEntries(Object.entries(places).map(([place, given]) => [place, new Map(Object.entries(given))]));
			const combined = combineSettings({ flags: new Map(), environment: new Map(), file: new Map(), ...maps });
			expect(combined.map(({ setting }) => setting)).toEqual(settings);
			for (const { setting, source, text } of combined) {
				const expected = flags[setting.name]
					? ["flag", flags[setting.name]]
					: environment[setting.name]
						? ["environment", environment[setting.name]]
						: file[setting.name]
							? ["file", file[setting.name]]
							: ["default", undefined];
				expect([source, text]).toEqual(expected);
			}
		}),
	);
});

it("says the same in the environment as in config.json", () => {
	for (const setting of settings) {
		const { form, default: fallback } = setting;
		if (fallback === "" || fallback.startsWith("~")) continue;
		expect([setting.name, textOf(setting, jsonValueOf(setting, fallback))]).toEqual([setting.name, { text: fallback }]);
		expect(form.kind).not.toBe("list");
	}
});

it("names every setting once, in each spelling", () => {
	for (const spelling of ["name", "key", "flag"] as const) {
		const given = settings.flatMap((setting) => setting[spelling] ?? []);
		expect(new Set(given).size).toBe(given.length);
	}
	expect(settings.filter(({ inFile }) => !inFile).map(({ name }) => name)).toEqual([
		"XWORKMATE_HOME",
		"XWORKMATE_TOKEN",
		"XWORKMATE_OPENCLAW_TOKEN",
		"XWORKMATE_DISCORD_TOKEN",
	]);
});
