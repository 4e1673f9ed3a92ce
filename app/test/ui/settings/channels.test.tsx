import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { type Tested, TestSteps } from "../../../src/ui/channels/test-steps.tsx";
import { ChannelsSettings } from "../../../src/ui/settings/channels-settings.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const email = { channel: "email", ready: true, settings: { host: "mail.example.org" }, secrets: [] };
const whatsapp = { channel: "whatsapp", ready: true, settings: { phoneNumberId: "104" }, secrets: ["accessToken"] };
const discord = { channel: "discord", ready: false, settings: {}, secrets: [] };

function open(...channels: object[]) {
	const calls = fakeApp({
		channels: { channels },
		setUpChannel: channels[0],
		testChannel: { channel: channels[0], ok: true, tookMs: 900, steps: [{ step: "accepted", ok: true, message: "wamid.X" }] },
	});
	render(
		<div className="frame">
			<ChannelsSettings />
		</div>,
		{ wrapper: new InApp().wrapper },
	);
	return calls;
}

it("sets WhatsApp up: each value with where it is found, secrets written only, then a test by steps", async () => {
	const calls = open(whatsapp);
	const section = within(await screen.findByRole("region", { name: "WhatsApp" }));
	const token = section.getByLabelText("Access token");
	expect(token).toMatchObject({ type: "password", value: "", placeholder: "Stored" });
	expect(section.getByText(/Generate a token for your app that never expires/)).toBeTruthy();
	expect(section.getByText(/Delivery isn’t tracked/)).toBeTruthy();
	fireEvent.change(section.getByLabelText("App secret"), { target: { value: "shh" } });
	fireEvent.change(section.getByLabelText("Your own number"), { target: { value: "+15550117" } });
	fireEvent.click(section.getByRole("button", { name: "Save and test" }));
	await section.findByText("wamid.X");
	expect(section.getByText("less than 1 s in total")).toBeTruthy();
	const saved = calls.find(({ method }) => method === "setUpChannel")?.params;
	expect(saved).toMatchObject({
		channel: "whatsapp",
		secrets: { appSecret: "shh" },
		settings: { owner: "+15550117", phoneNumberId: "104", template: null },
	});
	expect(saved?.secrets).not.toHaveProperty("accessToken");
	expect(section.getByLabelText("App secret")).toHaveProperty("value", "");
});

const signed = ["accessToken", "appSecret", "verifyToken"];
const webhooks = { listensOn: "127.0.0.1:8790" };

it.each([
	[
		"can be tracked once the bridge listens and both webhook secrets are stored, if Meta then sends reports",
		signed,
		webhooks,
		/^The bridge listens for delivery reports on 127\.0\.0\.1:8790.*once the webhook is registered with Meta/,
	],
	["isn’t tracked while nothing listens, and which setting changes that", signed, {}, /doesn’t listen.*enter a webhook address below/],
	[
		"isn’t tracked while a webhook secret is missing",
		["accessToken", "appSecret"],
		webhooks,
		/^Delivery isn’t tracked.*set the app secret/,
	],
])("says that delivery %s", async (_what, secrets, listening, words) => {
	open({ ...whatsapp, secrets, webhooks: listening });
	const section = await screen.findByRole("region", { name: "WhatsApp" });
	expect([...section.querySelectorAll("p.note")].map((note) => note.textContent)).toEqual([expect.stringMatching(words)]);
});

it("says whether one's own number may be written to", async () => {
	const soon = new Date(Date.now() + 3_600_000).toISOString();
	open({ ...whatsapp, windowUntil: soon });
	expect(await screen.findByText(/any message can be sent to your own number until/)).toBeTruthy();
	cleanup();
	open({ ...whatsapp, windowUntil: AT });
	expect(await screen.findByText(/that reached the bridge is more than 24 hours old/)).toBeTruthy();
});

it("says of a channel that is set up whether a message went out, not that it is ready", async () => {
	open(email, { ...whatsapp, tested: { at: AT, ok: true } }, discord);
	const said = async (name: string) => (await screen.findByRole("region", { name })).querySelector("h3")?.textContent;
	expect(await said("Email")).toContain("Set up, no current test");
	expect(await said("WhatsApp")).toContain("Ready");
	expect(await said("Discord")).toContain("Not set up");
	fireEvent.click(screen.getByRole("button", { name: "Set up Discord" }));
	await waitFor(() => expect(screen.getByLabelText("You on Discord")).toBeTruthy());
});

it("doesn't say that a test failed whose message may have arrived", async () => {
	const problem = { code: "NO_ANSWER", message: "No answer.", fix: "Check whether the test message has arrived." };
	open({ ...email, tested: { at: AT, ok: false, problem } }, { ...whatsapp, tested: { at: AT, ok: false } });
	const said = async (name: string) => (await screen.findByRole("region", { name })).querySelector("h3")?.textContent;
	expect(await said("Email")).toContain("it’s unknown whether the message arrived");
	expect(await said("WhatsApp")).toContain("Test failed, ");
	const tested: Tested = {
		channel: { channel: "email", ready: true, settings: {}, secrets: [], tested: { at: AT, ok: false, problem } },
		ok: false,
		steps: [{ step: "send", ok: false, message: "It may have received it." }],
		tookMs: 2_000,
	};
	const { container } = render(<TestSteps tested={tested} />);
	expect(container.querySelector(".steps-r .no, .note.bad")).toBeNull();
	expect(screen.getByText("2 s in total")).toBeTruthy();
});

it("says why a channel whose files can't be used sends nothing, and offers no form that could show or save nothing", async () => {
	const unavailable = { code: "CHANNEL_SECRETS_EXPOSED", message: "Others can read the file.", fix: "Run chmod 600." };
	const unread = { ready: false, settings: {}, secrets: [], unavailable };
	open({ channel: "email", ...unread }, { channel: "whatsapp", ...unread }, { channel: "discord", ...unread });
	for (const name of ["Email", "WhatsApp", "Discord"]) {
		const section = await screen.findByRole("region", { name });
		for (const said of ["Needs attention", "Others can read the file.", "Run chmod 600."]) expect(section.textContent).toContain(said);
		expect(section.querySelectorAll("form, button")).toHaveLength(0);
	}
});

it("says that a channel is not set up only where nothing else keeps it from being used", async () => {
	const notSetUp = { code: "CHANNEL_NOT_SET_UP", message: "Email has no server.", fix: "Set up email." };
	const insecure = { code: "CHANNEL_INSECURE", message: "Nothing is encrypted.", fix: "Use https." };
	open({ ...email, ready: false, settings: {}, unavailable: notSetUp }, { ...discord, unavailable: insecure });
	const said = async (name: string) => (await screen.findByRole("region", { name })).textContent;
	expect(await said("Email")).toContain("Not set up");
	expect(await said("Email")).not.toContain("no server");
	expect(await said("Discord")).toContain("Needs attention");
	expect(await said("Discord")).toContain("Use https.");
});

it("keeps what was typed when a command adds or removes the channel, and shows the stored values in the other fields", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	try {
		let stored: object = { ...whatsapp, settings: { phoneNumberId: "104" } };
		fakeApp({ channels: () => ({ channels: [stored] }) });
		render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
		const section = within(await screen.findByRole("region", { name: "WhatsApp" }));
		const field = (label: string) => section.getByLabelText<HTMLInputElement>(label);
		const numberId = () => document.querySelector<HTMLInputElement>("[name=phoneNumberId]")?.value;
		fireEvent.change(field("App secret"), { target: { value: "shh" } });
		fireEvent.change(field("Your own number"), { target: { value: "+15550117" } });
		const typed = () => [field("App secret").value, field("Your own number").value];
		stored = { ...whatsapp, ready: false, settings: {}, secrets: [] };
		await vi.advanceTimersByTimeAsync(6_000);
		await waitFor(() => expect(numberId()).toBe(""));
		expect(typed()).toEqual(["shh", "+15550117"]);
		stored = { ...whatsapp, settings: { phoneNumberId: "105", owner: "+15550199" } };
		await vi.advanceTimersByTimeAsync(6_000);
		await waitFor(() => expect(numberId()).toBe("105"));
		expect(typed()).toEqual(["shh", "+15550117"]);
	} finally {
		vi.useRealTimers();
	}
});

it("shows no value of a channel that was removed here", async () => {
	let stored: object = { ...discord, ready: true, settings: { owner: "200" } };
	fakeApp({
		channels: () => ({ channels: [stored] }),
		removeChannel: () => {
			stored = { ...discord, unavailable: { code: "CHANNEL_INSECURE", message: "Nothing is encrypted.", fix: "Use https." } };
			return {};
		},
	});
	render(
		<div className="frame">
			<ChannelsSettings />
		</div>,
		{ wrapper: new InApp().wrapper },
	);
	const field = await screen.findByLabelText("You on Discord");
	fireEvent.change(field, { target: { value: "201" } });
	fireEvent.click(screen.getByRole("button", { name: "Remove Discord…" }));
	fireEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: /^Remove/ }));
	await screen.findByText("Nothing is encrypted.");
	expect(screen.getByLabelText("You on Discord")).toHaveProperty("value", "");
});

it("asks before Discord is removed in words that leave the bot's token and its messages to contacts alone", async () => {
	open({ ...discord, ready: true, settings: { owner: "200" } });
	const section = within(await screen.findByRole("region", { name: "Discord" }));
	expect(section.getByText(/where “Discord me” messages go/)).toBeTruthy();
	fireEvent.click(section.getByRole("button", { name: "Remove Discord…" }));
	expect((await screen.findByRole("alertdialog")).textContent).toMatch(/token .*isn’t removed.*messages to contacts are still sent/);
	cleanup();
	open({ ...discord, ready: true });
	expect((await screen.findByRole("region", { name: "Discord" })).textContent).toContain("Set up, no current test");
	expect(screen.getByLabelText("You on Discord")).toBeTruthy();
});

it("shows what a command has changed about a channel, within seconds", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	try {
		let tested = { ok: true, at: AT, steps: [] };
		fakeApp({ channels: () => ({ channels: [{ ...email, tested }] }) });
		render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
		await screen.findByText("Ready");
		tested = { ...tested, ok: false };
		await vi.advanceTimersByTimeAsync(6_000);
		await screen.findByText(/^Test failed/);
		expect(screen.queryByText("Ready")).toBeNull();
	} finally {
		vi.useRealTimers();
	}
});
