import { cleanup, render } from "@testing-library/react";
import { type ProviderCapability, ProviderId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import type { BridgeView } from "../../../src/api/ui-api.ts";
import { OpenClawSettings } from "../../../src/ui/settings/openclaw-settings.tsx";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(cleanup);

const features = { approvals: true, followUp: true, resume: true, attachments: true };
const gateway = { providerId: ProviderId.parse("openclaw"), label: "OpenClaw", target: "gateway", available: true, features } as const;

function shown(bridge: Partial<BridgeView>, providers: readonly ProviderCapability[] = [gateway]): string | null {
	const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers: [...providers] };
	const here = new InApp({ ...appState, bridge: { ...appState.bridge, capabilities, ...bridge } });
	return render(<OpenClawSettings />, { wrapper: here.wrapper }).container.textContent;
}

it("the gateway is shown as of the bridge's last answer while the bridge is away, and says so only then", () => {
	const away = shown({ state: "unreachable" });
	expect(away).toMatch(/^The bridge isn’t responding, so nothing can run\. Last known status below, as of .*\d\d:\d\d\./);
	expect(away).toContain("Ready");
	cleanup();
	expect(shown({ state: "connected" })).not.toContain("Last known status below");
	cleanup();
	expect(shown({ state: "unreachable" }, [])).toBe("");
});
