import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { Operator } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const discord = (more: object = {}): Operator =>
	Operator.parse({
		operatorId: "discord",
		state: "connected",
		since: "2026-01-02T08:20:00.000Z",
		account: "XWorkmate",
		findings: [],
		unknownPosts: 0,
		...more,
	});

function open(operators: unknown, settings: object = {}) {
	fakeApp({ operators, settings: { remoteBridge: false, set: [], ...settings } });
	return render(<SettingsPage part="discord" />, { wrapper: new InApp().wrapper }).container;
}

describe("Settings, Discord", () => {
	it("says its state and its account, what is wrong in words, and the fix to copy", async () => {
		const findings = [
			{ code: "DISCORD_NO_APPROVER", message: "No approver is set.", fix: "Set it: export XWORKMATE_DISCORD_APPROVERS=1" },
			{ code: "DISCORD_PERMISSION_MISSING", message: "The bot may not post in #pl\u202Eans.", fix: "Allow Send Messages there." },
		];
		const shown = open({ operators: [discord({ findings, unknownPosts: 1 })] });
		const problems = await screen.findByRole("region", { name: "2 problems" });
		for (const said of [
			"No one can approve on Discord",
			"No approver is set.",
			"DISCORD_NO_APPROVER",
			"The bot can’t post",
			"#pl⟨U+202E⟩ans",
		])
			expect(problems.textContent).toContain(said);
		expect(screen.getByRole("button", { name: "Copy command export XWORKMATE_DISCORD_APPROVERS=1" })).toBeDefined();
		expect(screen.getByRole("region", { name: "Connection" }).textContent).toContain("XWorkmate botConnected");
		expect(shown.textContent).toContain("1 post may not have arrived.");
		expect(screen.queryByRole("region", { name: "Set it up" })).toBeNull();
	});

	it.each([
		["off", "Not set up", "st-off"],
		["connecting", "Connecting", "st-run"],
		["slowed", "Rate limited by Discord", "st-off"],
		["lost", "Connection lost, trying again", "st-unk"],
		["refused", "Rejected by Discord", "st-bad"],
	])("is never green while it is %s", async (state, word, tone) => {
		open({ operators: [discord({ state })] });
		const said = await screen.findByText(word);
		expect(said.className).toContain(tone);
		expect(document.querySelector(".st-ok")).toBeNull();
	});

	it("says how to set it up where it is not, also to a bridge that knows no operator, and names variables without values", async () => {
		open({ operators: [] }, { set: ["XWORKMATE_DISCORD_USERS"] });
		const how = await screen.findByRole("region", { name: "Set it up" });
		expect(how.textContent).toContain("Store the bot’s token below");
		const set = await screen.findByRole("region", { name: "Current settings" });
		await waitFor(() => expect(set.textContent).toContain("May also chatSetXWORKMATE_DISCORD_USERS"));
		expect(set.textContent).toContain("Not set: requests wait here");
	});

	it.each([
		["elsewhere", discord(), { remoteBridge: true, set: ["XWORKMATE_DISCORD_TOKEN"] }],
		["that uses a token which this app was not started with", discord(), {}],
		["without the token that this app was started with", discord({ state: "off" }), { set: ["XWORKMATE_DISCORD_TOKEN"] }],
	])("says nothing about the settings of a bridge %s", async (_, operator, settings) => {
		open({ operators: [operator] }, settings);
		await screen.findByText(/so its settings aren’t known here\.$/);
		expect(screen.queryByText(/^Not set:/)).toBeNull();
	});

	it("says that its state could not be read", async () => {
		open(new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running."));
		expect((await screen.findByRole("alert")).textContent).toContain("Couldn’t check the Discord connection. The bridge is not running.");
	});
});
