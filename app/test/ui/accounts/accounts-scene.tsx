import { cleanup, render, screen, within } from "@testing-library/react";
import type { AuthProfile } from "@xworkmate/contracts";
import { vi } from "vitest";
import { accountTrials } from "../../../src/ui/accounts/account-trials.ts";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { profile } from "./account-stories.ts";

/** Nothing of a test is left for the next one. */
export function leave(): void {
	cleanup();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
	untold.set([]);
	accountTrials.set(new Map());
}

export const told = () => untold.value.map(({ text }) => text);

/** The page over accounts that the app changes as the bridge does. */
export function open(profiles: readonly AuthProfile[], answers: object = {}) {
	let listed = profiles;
	const app = new InApp();
	const calls = fakeApp({
		accounts: () => ({ profiles: listed }),
		orderAccounts: ({ profileIds }: { readonly profileIds: readonly string[] }) => {
			listed = listed.toSorted((one, other) => profileIds.indexOf(one.profileId) - profileIds.indexOf(other.profileId));
			return { profiles: listed };
		},
		removeAccount: ({ profileId }: { readonly profileId: string }) => {
			listed = listed.filter((one) => one.profileId !== profileId);
			return { profiles: listed };
		},
		setAccount: ({ provider, profileId = `${provider}:manual` }: { readonly provider: string; readonly profileId?: string }) => {
			const saved = profile(profileId);
			listed = [saved, ...listed.filter((one) => one.profileId !== profileId)];
			return saved;
		},
		testAccount: ({ profileId }: { readonly profileId: string }) => ({ profile: profile(profileId), ok: true, tookMs: 800 }),
		...answers,
	});
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<SettingsPage part="accounts" />, { wrapper: app.wrapper, container: frame });
	return { app, calls };
}

export const called = (calls: ReturnType<typeof fakeApp>, name: string) =>
	calls.filter(({ method }) => method === name).map(({ params }) => params);
export const order = () =>
	within(screen.getByRole("list", { name: "Anthropic" }))
		.getAllByRole("listitem")
		.map((row) => row.dataset.profile);
export const grip = (name: string) => screen.getByRole("button", { name: new RegExp(`^Move ${name}`) });
