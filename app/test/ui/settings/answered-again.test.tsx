import { Dialog } from "@base-ui/react/dialog";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { UsageOfThread } from "../../../src/ui/usage/usage-dialog.tsx";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, summary } from "../stories.ts";

const SILENT = /The app isn’t responding\./;
const view = { home: "/h", threadsFolder: "/h/threads", logFile: "/h/app.log", set: [], remoteBridge: false };
const log = { text: "the bridge is listening\n", truncated: false };

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	app.answers.set("settings", () => view);
	app.answers.set("listSettings", () => ({ path: "/h/config.json", settings: [], inEffect: true }));
	app.answers.set("usage", () => []);
	app.answers.set("bridgeLog", () => log);
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
});

describe("what is asked of the app while it is away", () => {
	const dialog = (
		<Dialog.Root open>
			<Dialog.Portal>
				<Dialog.Popup>
					<UsageOfThread thread={summary("thread1", 5)} />
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
	it.each([
		["Settings, Bridge log", <SettingsPage key="log" part="log" />, /the bridge is listening/],
		["Settings, Storage", <SettingsPage key="storage" part="storage" />, "/h/threads"],
		["Settings, Usage", <SettingsPage key="usage" part="usage" />, /No agent runs ended in your threads/],
		["the usage of a thread", dialog, "No agent run has ended in this thread yet."],
	])("[D34] is asked again when it is back, and is no longer called unanswered: %s", async (_where, page, answer) => {
		app.isThere = false;
		const here = new InApp(undefined, "gone");
		render(page, { wrapper: here.wrapper });
		await screen.findAllByText(SILENT);
		app.isThere = true;
		act(() => here.link.set("live"));
		await screen.findByText(answer);
		await until("no problem is shown", () => screen.queryAllByText(SILENT).length === 0);
	});

	it("[D34] is asked again at once when it is back", async () => {
		app.isThere = false;
		const here = new InApp(undefined, "gone");
		render(<SettingsPage part="usage" />, { wrapper: here.wrapper });
		await screen.findAllByText(SILENT);
		app.isThere = true;
		act(() => here.link.set("live"));
		expect(app.of("usage")).toHaveLength(1);
	});

	it("[D34] is asked again until it is answered, though the page has not lost the app", async () => {
		app.lost.add("usage");
		render(<SettingsPage part="usage" />, { wrapper: new InApp().wrapper });
		await screen.findAllByText(SILENT);
		app.lost.clear();
		await until("it is answered", () => screen.queryByText(/No agent runs ended in your threads/) !== null);
		await until("no problem is shown", () => screen.queryAllByText(SILENT).length === 0);
	});

	it.each([
		["log", "the bridge is listening"],
		["usage", "No agent runs ended in your threads"],
	] as const)("leaves what was answered before in place, with the problem and Refresh: %s", async (part, answer) => {
		const here = new InApp();
		render(<SettingsPage part={part} />, { wrapper: here.wrapper });
		await screen.findByText(new RegExp(answer));
		app.isThere = false;
		fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
		await until("the problem is shown", () => screen.queryByRole("alert")?.textContent?.match(SILENT) != null);
		expect(screen.getByText(new RegExp(answer))).toBeDefined();
		app.isThere = true;
		fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
		await until("it is no longer shown", () => screen.queryByRole("alert") === null);
	});
});

it("shows no log of this computer for a bridge that is elsewhere", async () => {
	const here = new InApp({ ...appState, bridge: { ...appState.bridge, own: false } });
	render(<SettingsPage part="log" />, { wrapper: here.wrapper });
	await screen.findByText("This bridge keeps its own log on the computer that runs it.");
	expect(screen.queryByText(/the bridge is listening|The log is empty/)).toBeNull();
});
