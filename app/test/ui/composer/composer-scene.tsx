import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type ProviderCapability, ProviderId, SessionId, ThreadId } from "@xworkmate/contracts";
import type { Ref } from "react";
import type { AppState, ThreadDetail } from "../../../src/api/ui-api.ts";
import { Composer } from "../../../src/ui/composer/composer.tsx";
import type { ComposerHandle } from "../../../src/ui/composer/composer-handle.ts";
import { setPreferences } from "../../../src/ui/state/preferences.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, ended } from "../stories.ts";

const features = { approvals: true, followUp: true, resume: true, attachments: true };
export const provider = (name: string, available: boolean): ProviderCapability => ({
	...{ providerId: ProviderId.parse(name), label: name, target: "agent" as const, features, available },
	...(!available && {
		unavailable: { code: "PROVIDER_NOT_INSTALLED" as const, message: "it is not here", fix: `Install it: npm i ${name}` },
	}),
});

export function stateOf(...providers: readonly ProviderCapability[]): AppState {
	const none = fakeCapabilities({ maxActive: 1, maxQueued: 20 }, undefined);
	const capabilities = { ...none, providers: [...providers], limits: { ...none.limits, attachmentBytes: 10, attachmentsBytes: 15 } };
	return { ...appState, bridge: { ...appState.bridge, capabilities } };
}

const threadId = ThreadId.parse("thread1");

export function detail(more: Partial<ThreadDetail> = {}): ThreadDetail {
	const times = { createdAt: at(0), updatedAt: at(1) };
	const thread = { threadId, sessionId: SessionId.parse(threadId), title: "t", lifecycleStatus: "ready", ...times } as const;
	const turn = ended({}, undefined);
	return {
		thread: { ...thread, lastTaskArtifactRelativePaths: [], turns: [turn.turn], deleted: false },
		...{ turns: [turn], folder: "/home/threads/t", queued: [], queueHeld: false },
		...more,
	};
}

/** The app that a test's composer talks to. */
export function composerApp(): FakeApp {
	const app = new FakeApp();
	app.answers.set("recentPrompts", () => []);
	app.answers.set("send", () => ({ threadId: "thread1", turnId: "turn2" }));
	app.answers.set("queueMessage", () => ({ queuedId: "turn2" }));
	return app;
}

/** Nothing of a test is left for the next one. */
export function leaveComposer(app: FakeApp): void {
	cleanup();
	app[Symbol.dispose]();
	location.hash = "";
	sessionStorage.clear();
	setPreferences({ providerId: "" });
}

/** A composer, and what a user does to it. */
export function compose(
	app: FakeApp,
	{
		providers = [provider("codex", true)],
		link = "live" as const,
		...props
	}: {
		providers?: ProviderCapability[];
		link?: InApp["link"]["value"];
		thread?: ThreadDetail;
		busy?: boolean;
		ref?: Ref<ComposerHandle>;
	} = {},
) {
	const here = new InApp(stateOf(...providers), link);
	const { container } = render(<Composer busy={false} {...props} />, { wrapper: here.wrapper });
	const field = screen.getByRole("textbox", { name: "Message" });
	const type = (value: string) => fireEvent.change(field, { target: { value } });
	const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(field, { key, ...more });
	const attach = async (...files: readonly File[]) => {
		const input = container.querySelector("input[type=file]");
		if (input === null) throw new Error("there is nowhere to attach");
		await act(async () => fireEvent.change(input, { target: { files } }));
	};
	const settled = (calls: number) => until("it is sent", () => app.of("send").length + app.of("queueMessage").length === calls, 2_500);
	return { here, field, type, press, attach, settled, send: screen.getByRole("button", { name: /^(?:Send$|Add to queue)/ }) };
}

export const file = (name: string, bytes: number) => new File(["x".repeat(bytes)], name, { type: "text/plain" });
