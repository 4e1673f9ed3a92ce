import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ChannelsSettings } from "../../../src/ui/settings/channels-settings.tsx";
import { fakeApp } from "../fake-app.ts";
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
