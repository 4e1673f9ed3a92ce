import { cleanup, render, screen } from "@testing-library/react";
import { Operator } from "@xworkmate/contracts";
import { settings } from "@xworkmate/platform/settings";
import { afterEach, describe, expect, it, vi } from "vitest";
import { localTime } from "../../../src/text/local-time.ts";
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

function open(operators: unknown, view: object = {}, rows: readonly object[] = []) {
	const listSettings = { path: "/h/config.json", settings: rows, inEffect: true };
	fakeApp({ operators, listSettings, settings: { remoteBridge: false, set: [], ...view } });
	return render(<SettingsPage part="discord" />, { wrapper: new InApp().wrapper }).container;
}

describe("Settings, Discord", () => {
	it("says its state and its account, what is wrong in words, and the fix to copy", async () => {
		const findings = [
			{ code: "DISCORD_NO_APPROVER", message: "No approver is set.", fix: "Set it: export XWORKMATE_DISCORD_APPROVERS=1" },
			{
				code: "DISCORD_PERMISSION_MISSING",
				message: "Discord did not let the bot post in #pl\u202Eans at 2026-01-01T09:00:00.000Z.",
				fix: "Allow Send Messages there.",
			},
		];
		const shown = open({ operators: [discord({ findings, unknownPosts: 1 })] });
		const problems = await screen.findByRole("region", { name: "2 problems" });
		for (const said of [
			"No one can approve requests on Discord",
			"No approver is set.",
			"DISCORD_NO_APPROVER",
			"A permission was missing",
			"#pl⟨U+202E⟩ans",
		])
			expect(problems.textContent).toContain(said);
		expect(problems.textContent).toContain(localTime("2026-01-01T09:00:00.000Z", Date.now()));
		expect(problems.textContent).not.toContain("09:00:00.000Z");
		expect(screen.getByRole("button", { name: "Copy command export XWORKMATE_DISCORD_APPROVERS=1" })).toBeDefined();
		expect(screen.getByRole("region", { name: "Connection" }).textContent).toContain("XWorkmate botConnected");
		expect(shown.textContent).toContain("1 post may not have arrived.");
		expect(screen.queryByRole("region", { name: "Setup" })).toBeNull();
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

	it.each([
		["connected", [], "Messages to the bot start runs, and requests for approval appear as posts with buttons."],
		["slowed", [], "Messages to the bot start runs, and requests for approval appear as posts with buttons."],
		[
			"connected",
			["DISCORD_NO_APPROVER"],
			"Messages to the bot from users that you allow start runs. Requests for approval are answered in XWorkmate.",
		],
		["connecting", [], ""],
		["lost", ["DISCORD_UNREACHABLE"], ""],
		["refused", ["DISCORD_TOKEN_REJECTED"], ""],
	])("says what the bot does only while it does so: %s %s", async (state, codes, lead) => {
		open({ operators: [discord({ state, findings: codes.map((code) => ({ code, message: "m", fix: "f" })) })] });
		await screen.findByRole("region", { name: "Connection" });
		expect(document.querySelector(".doctor-head p")?.textContent).toBe(lead);
	});

	it("says how to set it up where it is not, also to a bridge that knows no operator", async () => {
		open({ operators: [] });
		const how = await screen.findByRole("region", { name: "Setup" });
		expect(how.textContent).toContain("Store the bot’s token below");
	});

	it.each(["default", "file", "environment"] as const)("says the source of the token once, as it is: %s", async (source) => {
		const token = settings.find(({ key }) => key === "discordToken");
		const { default: _, ...row } = token ?? {};
		const shown = open({ operators: [discord()] }, { set: source === "environment" ? ["XWORKMATE_DISCORD_TOKEN"] : [] }, [
			{ ...row, source },
		]);
		await screen.findByText("Bot token");
		const fromEnvironment = [...(shown.textContent?.matchAll(/environment/g) ?? [])];
		expect(fromEnvironment).toHaveLength(source === "environment" ? 1 : 0);
		expect(screen.queryByLabelText("Bot token") === null).toBe(source === "environment");
		expect(screen.queryByRole("region", { name: "Current settings" })).toBeNull();
	});

	it("says that its state could not be read", async () => {
		open(new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running."));
		expect((await screen.findByRole("alert")).textContent).toContain("Couldn’t check the Discord connection. The bridge is not running.");
	});
});
