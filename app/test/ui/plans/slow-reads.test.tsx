import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useChannels, useContacts } from "../../../src/ui/plans/use-recipients.ts";
import { ChannelsSettings } from "../../../src/ui/settings/channels-settings.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
	cleanup();
	await vi.runOnlyPendingTimersAsync();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const discord = { channel: "discord", ready: false, settings: {}, secrets: [] };

/** An app that answers or refuses only after `ms`. */
function slowApp(ms: number, answer: unknown) {
	const slow = () => new Promise((resolve) => setTimeout(() => resolve(answer), ms));
	const calls = fakeApp({ channels: slow, contacts: slow });
	return (method: string) => calls.filter((call) => call.method === method).length;
}

it("shows what was read also if it took longer than the pause between two reads, and reads again only after that", async () => {
	const reads = slowApp(12_000, { channels: [discord] });
	render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
	await after(11_900);
	expect([reads("channels"), screen.queryByRole("region")]).toEqual([1, null]);
	await after(1_000);
	screen.getByRole("region", { name: "Discord" });
	expect(reads("channels")).toBe(1);
	await after(5_100);
	expect(reads("channels")).toBe(2);
	await after(11_000);
	expect(reads("channels")).toBe(2);
});

it("says why channels can't be read although each read fails only after a long time", async () => {
	const reads = slowApp(30_000, new Refused("TIMEOUT", "The bridge did not answer."));
	render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
	await after(30_100);
	expect(screen.getByRole("alert").textContent).toContain("The bridge did not answer.");
	expect(reads("channels")).toBe(1);
	await after(20_000);
	expect(reads("channels")).toBe(2);
});

it("reads nothing while the page is hidden, and reads when it becomes visible", async () => {
	const reads = slowApp(10, { channels: [discord] });
	render(<ChannelsSettings />, { wrapper: new InApp().wrapper });
	await after(100);
	const shows = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
	await after(60_000);
	expect(reads("channels")).toBe(1);
	shows.mockReturnValue("visible");
	document.dispatchEvent(new Event("visibilitychange"));
	await after(100);
	expect(reads("channels")).toBe(2);
	shows.mockRestore();
});

function Contacts({ name }: { readonly name: string }) {
	const { value: contacts } = useContacts();
	const { value: channels } = useChannels();
	return <p>{`${name}: ${contacts?.length} and ${channels?.length}`}</p>;
}

it("reads once for all parts of a page", async () => {
	const reads = slowApp(300, { contacts: [], channels: [discord] });
	const parts = ["a", "b", "c"].map((name) => <Contacts key={name} name={name} />);
	render(<main>{parts}</main>, { wrapper: new InApp().wrapper });
	await after(400);
	screen.getByText("c: 0 and 1");
	expect([reads("contacts"), reads("channels")]).toEqual([1, 1]);
	await after(5_400);
	expect([reads("contacts"), reads("channels")]).toEqual([2, 2]);
});
