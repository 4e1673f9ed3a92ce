import { settings } from "@xworkmate/platform/settings";
import { expect, it } from "vitest";
import { getConfig, listConfig, setConfig } from "../../../src/cli/config/config-commands.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

const items: Readonly<Record<string, readonly string[]>> = {
	allowedHosts: ["one.example", "[::1]"],
	allowedOrigins: ["https://one.example", "https://two.example"],
	allowedRoots: ["/srv/one", "/srv/two"],
	discordApprovers: ["1", "2"],
	discordUsers: ["1", "2"],
	discordChannels: ["1", "2"],
};
const lists = settings.filter(({ form, inFile, isSecret }) => form.kind === "list" && inFile && !isSecret);

/** Commands in a home, with what is printed for a setting. */
function inHome() {
	const home = temporaryHome();
	const console = new RecordingConsole();
	const deps = { home: home.path, env: {}, console };
	const printed = async (key: string): Promise<string> => {
		await listConfig(deps, false);
		const line = console.lines.findLast((one) => one.startsWith(`${key} = `)) ?? "";
		return line.slice(key.length + 3, line.lastIndexOf("  ("));
	};
	return { deps, console, printed, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

it.each(lists.map(({ key }) => key))("the list that is printed for %s can be given as its value", async (key) => {
	using here = inHome();
	const given = items[key] ?? ["one", "two"];
	await setConfig(here.deps, key, given);
	const text = await here.printed(key);
	await setConfig(here.deps, key, given.slice(0, 1));
	await setConfig(here.deps, key, [text]);
	expect(await here.printed(key)).toBe(text);
	expect(JSON.parse(text)).toEqual(given);
	await setConfig(here.deps, key, ["[]"]);
	expect(await here.printed(key)).toBe("[]");
});

it("what only begins like a printed list is an item, and one that can't be is refused with how to write a list", async () => {
	using here = inHome();
	await setConfig(here.deps, "allowedHosts", ["[::1]"]);
	await setConfig(here.deps, "allowCommands", ["[ -f", "[1]"]);
	await getConfig(here.deps, "allowedHosts", false);
	await getConfig(here.deps, "allowCommands", false);
	expect(here.console.lines.slice(-3)).toEqual(["[::1]", "[ -f", "[1]"]);
	await expect(setConfig(here.deps, "allowedRoots", ["[/srv]"])).rejects.toMatchObject({
		message: "allowedRoots must be an absolute path.",
		fix: expect.stringContaining("Give each item as a separate value: npm run -s xworkmate -- config set allowedRoots ITEM ITEM"),
	});
});
