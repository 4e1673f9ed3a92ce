import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { gatewayNotSetUp } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SettingList } from "../../../src/api/setting-view.ts";
import type { SettingsView } from "../../../src/api/ui-api.ts";
import { words } from "../../../src/strings/interface.ts";
import { shortcutWords } from "../../../src/strings/page/key-words.ts";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { preferences, setPreferences } from "../../../src/ui/state/preferences.ts";
import { formatLimit, formatTime } from "../../../src/ui/text/format.ts";
import { keyCaps } from "../../../src/ui/text/key-names.ts";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

const settings: SettingsView = {
	home: "/home/me/.xworkmate",
	threadsFolder: "/home/me/.xworkmate/app/threads",
	logFile: "/home/me/.xworkmate/bridge/bridge.log",
	appUrl: "http://127.0.0.1:8788",
	bridgeUrl: "http://127.0.0.1:8787",
	remoteBridge: false,
	version: "0.1.0",
	set: ["XWORKMATE_HOME"],
};

const list: SettingList = { path: "/home/me/.xworkmate/config.json", settings: [], inEffect: true };

function open(part: string) {
	vi.stubGlobal("fetch", async (path: string) =>
		Response.json({ result: path.endsWith("/settings") ? settings : path.endsWith("/listSettings") ? list : [] }),
	);
	return render(<SettingsPage part={part} />, { wrapper: new InApp().wrapper });
}

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	setPreferences({ singleKeys: true, notices: true });
});

describe("the settings", () => {
	it("come in everyday order, and addresses of earlier versions still lead to their part", () => {
		open("general");
		const nav = screen.getByRole("navigation", { name: "Settings" });
		expect(
			within(nav)
				.getAllByRole("link")
				.map(({ textContent }) => textContent),
		).toEqual([
			"General",
			"Agents",
			"Accounts",
			"Project folders",
			"Permissions",
			"OpenClaw",
			"Channels",
			"Contacts",
			"Discord",
			"Usage",
			"Notifications",
			"Storage",
			"Appearance",
			"Shortcuts",
			"Diagnostics",
		]);
		for (const [before, now] of [
			["doctor", "Diagnostics"],
			["look", "Appearance"],
			["places", "Storage"],
			["keys", "Shortcuts"],
			["log", "Diagnostics"],
			["constructor", "General"],
		] as const) {
			cleanup();
			open(before);
			expect(screen.getByRole("link", { current: "page" }).textContent).toBe(now);
		}
	});

	it.each(["general", "agents", "folders", "permissions", "contacts", "storage"])("say as of when they are: %s", (part) => {
		const here = new InApp();
		here.heardAt = "2026-07-01T08:52:00.000Z";
		vi.stubGlobal("fetch", async () => Response.json({ result: list }));
		render(<SettingsPage part={part} />, { wrapper: here.wrapper });
		const said = `As of ${formatTime(here.heardAt)}. The app isn’t responding.`;
		expect(screen.queryByText(said)).toBeNull();
		act(() => here.link.set("gone"));
		expect(screen.getByText(said)).toBeTruthy();
		act(() => here.link.set("connecting"));
		expect([screen.queryByText(said), screen.queryByText(`As of ${formatTime(here.heardAt)}.`) === null]).toEqual([null, false]);
		act(() => here.link.set("live"));
		expect(screen.queryByText(said)).toBeNull();
	});

	it.each(["appearance", "shortcuts"])("of this browser alone are so whether or not the app responds: %s", (part) => {
		const here = new InApp(appState, "gone");
		here.heardAt = "2026-07-01T08:52:00.000Z";
		render(<SettingsPage part={part} />, { wrapper: here.wrapper });
		expect(screen.queryByText(/As of/)).toBeNull();
	});

	it("name the variable that sets what the page cannot change, and say what to do", async () => {
		open("storage");
		const row = (await screen.findByText("Data folder")).parentElement;
		expect(row?.textContent).toContain("/home/me/.xworkmate");
		expect(row?.textContent).toContain("Set by XWORKMATE_HOME. To change it, set the variable to another value and start XWorkmate again.");
	});

	it("say that OpenClaw is not set up in the one sentence that the bridge has for it", () => {
		const { message, fix } = gatewayNotSetUp;
		const unavailable = { code: "GATEWAY_NOT_CONFIGURED", message, fix };
		const capabilities = fakeCapabilities({ maxActive: 1, maxQueued: 1 }, { available: false, unavailable });
		const here = new InApp({ ...appState, bridge: { ...appState.bridge, capabilities } });
		vi.stubGlobal("fetch", async () => Response.json({ result: list }));
		const shown = render(<SettingsPage part="openclaw" />, { wrapper: here.wrapper }).container.textContent ?? "";
		expect(shown).toContain(fix.replaceAll("`", ""));
		for (const sentence of [message, fix]) expect(JSON.stringify(words)).not.toContain(sentence);
	});

	it("have switches that say what they are and remember it", () => {
		open("shortcuts");
		const single = screen.getByRole("switch", { name: "Single-key shortcuts", checked: true });
		fireEvent.click(single);
		expect(screen.getByRole("switch", { name: "Single-key shortcuts", checked: false })).toBe(single);
		expect(preferences.value.singleKeys).toBe(false);
		// What single keys do is off; what has another chord keeps that.
		expect(screen.getByText("Allow once").parentElement?.textContent).toContain("Off");
		expect(screen.getByText("Write a message").parentElement?.textContent).not.toContain("Off");
	});

	it("turn notifications off here although the browser allows them, and on again", async () => {
		const asked = vi.fn(async () => "granted");
		vi.stubGlobal("Notification", { permission: "default", requestPermission: asked });
		open("notifications");
		const notify = () => screen.getByRole("switch", { name: "System notifications" });
		expect(notify().getAttribute("aria-checked")).toBe("false");
		fireEvent.click(notify());
		await screen.findByRole("switch", { name: "System notifications", checked: true });
		expect(asked).toHaveBeenCalledOnce();
		fireEvent.click(notify());
		await screen.findByRole("switch", { name: "System notifications", checked: false });
		expect(preferences.value.notices).toBe(false);
	});

	it("stay when the part is left in a browser whose scrolling gives a promise", () => {
		const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => Promise.resolve());
		const { rerender } = open("general");
		rerender(<SettingsPage part="storage" />);
		expect(screen.getByRole("link", { current: "page" }).textContent).toBe("Storage");
		expect(scroll).toHaveBeenCalled();
		scroll.mockRestore();
	});

	it("say when the browser blocks notifications", () => {
		vi.stubGlobal("Notification", { permission: "denied" });
		open("notifications");
		expect(screen.getByText("Blocked in your browser settings")).toBeTruthy();
		expect(screen.getByRole("switch", { name: "System notifications" })).toHaveProperty("disabled", true);
		// The user has changed the browser's settings, and returns.
		vi.stubGlobal("Notification", { permission: "granted" });
		act(() => void dispatchEvent(new Event("focus")));
		expect(screen.queryByText("Blocked in your browser settings")).toBeNull();
		expect(screen.getByRole("switch", { name: "System notifications" })).toHaveProperty("disabled", false);
	});

	it("say of a browser without notifications that it can’t show any, and blame no setting", () => {
		open("notifications");
		expect(screen.getByText("This browser can’t show notifications here.")).toBeTruthy();
		expect(screen.getByRole("switch", { name: "System notifications" })).toHaveProperty("disabled", true);
	});
});

describe("names of keys", () => {
	it("are those of the platform, and are read out in words", () => {
		expect(keyCaps("Mod+K", false)).toEqual([
			{ sign: "Ctrl", spoken: "Ctrl" },
			{ sign: "K", spoken: "K" },
		]);
		expect(keyCaps("Mod+K", true)).toEqual([
			{ sign: "⌘", spoken: "Command" },
			{ sign: "K", spoken: "K" },
		]);
		expect(keyCaps("Alt+Up", false).map(({ spoken }) => spoken)).toEqual(["Alt", "Up arrow"]);
		expect(keyCaps("Esc Esc", true).map(({ sign }) => sign)).toEqual(["Esc", "Esc"]);
		expect(keyCaps("Mod+,", true).map(({ sign }) => sign)).toEqual(["⌘", ","]);
	});

	it("are there for every shortcut", () => {
		for (const { chords } of shortcutWords)
			for (const chord of chords) expect(keyCaps(chord, false).every(({ sign }) => sign !== "")).toBe(true);
	});
});

it("bounds are told in words", () => {
	expect([900_000, 3_600_000, 5_400_000, 60_000, 45_000, 3_661_000, 500].map(formatLimit)).toEqual([
		"15 minutes",
		"1 hour",
		"1 hour 30 minutes",
		"1 minute",
		"45 seconds",
		"1 hour 1 minute 1 second",
		"0.5 seconds",
	]);
});
