import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { jsonValueOf, settings } from "@xworkmate/platform/settings";
import { afterEach, expect, it, vi } from "vitest";
import type { SettingList, SettingRow } from "../../../src/api/setting-view.ts";
import { channelsWords } from "../../../src/strings/plans/channels-words.ts";
import { SettingGroups } from "../../../src/ui/settings/setting-groups.tsx";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { InApp } from "../in-app.tsx";

function listOf(changes: Readonly<Record<string, Partial<SettingRow>>>, more: Partial<SettingList> = {}): SettingList {
	const rows = settings.map(({ default: text, ...setting }): SettingRow => {
		const value = jsonValueOf(setting, text);
		return { ...setting, source: "default", ...(value !== "" && !setting.isSecret && { value }), ...changes[setting.key] };
	});
	return { path: "/home/me/.xworkmate/config.json", settings: rows, inEffect: true, ...more };
}

function show(group: SettingRow["group"], list: SettingList): InApp {
	vi.stubGlobal("fetch", async () => Response.json({ result: list }));
	const here = new InApp();
	render(<SettingGroups groups={[group]} />, { wrapper: here.wrapper });
	return here;
}

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

it("a secret that was removed and a value that was reset are not announced as saved", async () => {
	const list = listOf({ openclawToken: { source: "file" }, openclawMaxActive: { source: "file", value: 3 } });
	const here = show("openclaw", list);
	fireEvent.click(await screen.findByRole("button", { name: "Remove Gateway token" }));
	await vi.waitFor(() => expect(here.said).toEqual(["Gateway token removed"]));
	fireEvent.click(screen.getByRole("button", { name: "Use the default for Concurrent OpenClaw runs" }));
	await vi.waitFor(() => expect(here.said).toHaveLength(2));
	expect(here.said[1]).toBe("Concurrent OpenClaw runs reset to the default");
	fireEvent.click(screen.getByRole("switch", { name: "Untested OpenClaw versions" }));
	await vi.waitFor(() => expect(here.said).toHaveLength(3));
	expect(here.said[2]).toBe("Untested OpenClaw versions saved");
});

it("a problem outside config.json is not said to be one of config.json", async () => {
	const problem = { message: "/h/bridge/discord-token can be read by other users.", fix: "Make the file readable only by you." };
	show("discord", listOf({}, { problem }));
	expect((await screen.findByRole("alert")).textContent).toBe(
		`Some settings can’t be used in their current state. ${problem.message} ${problem.fix}`,
	);
});

it("the webhook address is below the channels, where WhatsApp's form says that it is", async () => {
	expect([channelsWords.whatsapp.unheard, channelsWords.whatsapp.webhook].filter((text) => !/webhook address below/.test(text))).toEqual(
		[],
	);
	vi.stubGlobal("fetch", async (path: string) =>
		Response.json({ result: path.endsWith("/listSettings") ? listOf({}) : path.endsWith("/doctor") ? [] : { channels: [] } }),
	);
	render(<SettingsPage part="channels" />, { wrapper: new InApp().wrapper });
	expect(await screen.findByLabelText("Webhook address")).toBeTruthy();
});
