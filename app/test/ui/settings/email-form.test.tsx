import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ChannelsSettings } from "../../../src/ui/settings/channels-settings.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** The port and the encryption that are shown for these settings, and those that are saved without a change. */
async function shownFor(server: object) {
	const channel = { channel: "email", ready: true, settings: { host: "mail.example.org", ...server }, secrets: [] };
	const calls = fakeApp({ channels: { channels: [channel] }, setUpChannel: channel });
	render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
	const form = within(await screen.findByRole("region", { name: "Email" }));
	const [port, security] = ["Port", "Encryption"].map((name) => form.getByLabelText<HTMLInputElement>(name).value);
	fireEvent.click(form.getByRole("button", { name: "Save" }));
	await waitFor(() => expect(calls.some(({ method }) => method === "setUpChannel")).toBe(true));
	expect(calls.find(({ method }) => method === "setUpChannel")?.params.settings).toMatchObject({ port: Number(port), security });
	return { port, security };
}

it.each([
	[{ port: 465 }, { port: "465", security: "tls" }],
	[{ security: "tls" }, { port: "465", security: "tls" }],
	[{ security: "none" }, { port: "25", security: "none" }],
	[{ port: 2525 }, { port: "2525", security: "starttls" }],
	[
		{ port: 465, security: "starttls" },
		{ port: "465", security: "starttls" },
	],
	[{}, { port: "587", security: "starttls" }],
])("shows and saves what the bridge uses for %o", async (stored, shown) => {
	expect(await shownFor(stored)).toEqual(shown);
});

it.each([
	[[], false],
	[["password"], true],
])("says how to keep the stored password only if there is one: %j", async (secrets, isSaid) => {
	fakeApp({ channels: { channels: [{ channel: "email", ready: false, settings: {}, secrets }] } });
	render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
	const form = within(await screen.findByRole("region", { name: "Email" }));
	const described = form.getByLabelText("Password").getAttribute("aria-describedby") ?? "";
	const hint = document.getElementById(described)?.textContent ?? "";
	expect(hint).toContain("Use an app password if your provider offers one.");
	expect(hint.includes("Leave this field empty to keep the stored value.")).toBe(isSaid);
});

const email = { channel: "email", ready: true, settings: { host: "mail.example.org", user: "me" }, secrets: ["password"] };

it("shows what another page has saved, except in a field that was typed in, and saves that", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	try {
		let stored = { ...email, settings: { ...email.settings, from: "old@example.org" } };
		const calls = fakeApp({ channels: () => ({ channels: [stored] }), setUpChannel: email });
		render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
		const form = within(await screen.findByRole("region", { name: "Email" }));
		const field = (name: string) => form.getByLabelText<HTMLInputElement>(name);
		fireEvent.change(field("User name"), { target: { value: "you" } });
		stored = { ...email, settings: { host: "smtp.example.net", user: "them", from: "new@example.org" } };
		await vi.advanceTimersByTimeAsync(6_000);
		await waitFor(() => expect(field("Server").value).toBe("smtp.example.net"));
		fireEvent.click(form.getByRole("button", { name: "Save" }));
		await waitFor(() => expect(calls.some(({ method }) => method === "setUpChannel")).toBe(true));
		const saved = calls.find(({ method }) => method === "setUpChannel")?.params.settings;
		expect(saved).toMatchObject({ host: "smtp.example.net", user: "you", from: "new@example.org" });
	} finally {
		vi.useRealTimers();
	}
});

it("does not take a space around what it saved for an edit", async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	try {
		let stored = email;
		fakeApp({ channels: () => ({ channels: [stored] }), setUpChannel: email });
		render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
		const form = within(await screen.findByRole("region", { name: "Email" }));
		const user = form.getByLabelText<HTMLInputElement>("User name");
		fireEvent.change(user, { target: { value: "you " } });
		stored = { ...email, settings: { ...email.settings, user: "you" } };
		fireEvent.click(form.getByRole("button", { name: "Save" }));
		await form.findByText("Saved.");
		stored = { ...email, settings: { ...email.settings, user: "them" } };
		await vi.advanceTimersByTimeAsync(6_000);
		await waitFor(() => expect(user.value).toBe("them"));
	} finally {
		vi.useRealTimers();
	}
});

const discord = { channel: "discord", ready: true, settings: { owner: "200" }, secrets: [] };

it.each([
	["Email", email, "Server", "mail.example.org"],
	["Discord", discord, "You on Discord", "200"],
])("keeps the settings of %s that couldn’t be removed", async (name, channel, label, value) => {
	fakeApp({ channels: { channels: [channel] }, removeChannel: new Refused("CHANNEL_BUSY", "It is in use.") });
	render(
		<div className="frame">
			<ChannelsSettings />
		</div>,
		{ wrapper: new InApp().wrapper },
	);
	const form = within(await screen.findByRole("region", { name }));
	fireEvent.click(form.getByRole("button", { name: `Remove ${name}…` }));
	fireEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: /^Remove/ }));
	await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
	expect(form.getByLabelText(label)).toHaveProperty("value", value);
});

it.each([
	["Email", email],
	["Discord", discord],
])("of %s, shows no test of other settings, and reads what was saved even if the test fails", async (name, channel) => {
	let tested: object = { channel, ok: true, tookMs: 900, steps: [{ step: "accepted", ok: true, message: "250 OK" }] };
	const calls = fakeApp({ channels: { channels: [channel] }, setUpChannel: channel, testChannel: () => tested });
	render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
	const form = within(await screen.findByRole("region", { name }));
	const reads = () => calls.filter(({ method }) => method === "channels").length;
	fireEvent.click(form.getByRole("button", { name: "Save and test" }));
	await form.findByText("250 OK");
	fireEvent.click(form.getByRole("button", { name: "Save" }));
	await form.findByText("Saved.");
	expect(form.queryByText("250 OK")).toBeNull();
	tested = new Refused("ACP_HTTP_CONNECT_FAILED", "The bridge is not running.");
	const before = reads();
	fireEvent.click(form.getByRole("button", { name: "Save and test" }));
	await form.findByText("The bridge is not running.");
	await waitFor(() => expect(reads()).toBeGreaterThan(before));
});
