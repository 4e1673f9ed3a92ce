import { render } from "@testing-library/react";
import { ProviderId, type SettingValue } from "@xworkmate/contracts";
import { jsonValueOf, settings } from "@xworkmate/platform/settings";
import { vi } from "vitest";
import type { SettingList, SettingRow } from "../../../src/api/setting-view.ts";
import { SettingGroups } from "../../../src/ui/settings/setting-groups.tsx";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

const features = { approvals: true, followUp: true, resume: true, attachments: true };
const script = { providerId: ProviderId.parse("script"), label: "Script", target: "agent", available: true, features } as const;

type Changes = Readonly<Record<string, Partial<SettingRow>>>;

export function listOf(changes: Changes = {}): SettingList {
	const rows = settings.map(({ default: text, ...setting }): SettingRow => {
		const value = jsonValueOf(setting, text);
		return { ...setting, source: "default", ...(value !== "" && !setting.isSecret && { value }), ...changes[setting.key] };
	});
	return { path: "/home/me/.xworkmate/config.json", settings: rows, inEffect: true };
}

/** A page over an app that takes every change; `asked` has what was asked of it. */
export function showSettings(groups: readonly SettingRow["group"][], changes: Changes = {}, more: Partial<SettingList> = {}) {
	const asked: {
		readonly method: string;
		readonly params: { readonly key?: string; readonly value?: SettingValue; readonly secret?: string };
	}[] = [];
	vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
		asked.push({ method: path.replace("/api/", ""), params: JSON.parse(body) });
		return Response.json({ result: { ...listOf(changes), ...more } });
	});
	const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers: [script] };
	render(<SettingGroups groups={groups} />, {
		wrapper: new InApp({ ...appState, bridge: { ...appState.bridge, capabilities } }).wrapper,
	});
	return () => asked.filter(({ method }) => method !== "listSettings");
}
