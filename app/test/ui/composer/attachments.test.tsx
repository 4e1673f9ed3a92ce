import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ProviderId, SessionId, ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Draft, ThreadDetail } from "../../../src/api/ui-api.ts";
import { DraftFileId } from "../../../src/threads/domain/composed-message.ts";
import { guardAttached } from "../../../src/ui/composer/attachments.ts";
import { Composer } from "../../../src/ui/composer/composer.tsx";
import { FakeApp } from "../../support/fake-app.ts";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, ended } from "../stories.ts";

let app: FakeApp;
let place = 0;
beforeEach(() => {
	app = new FakeApp();
	app.answers.set("recentPrompts", () => []);
	app.answers.set("send", () => ({ threadId: `thread${place}`, turnId: "turn2" }));
	place++;
	addEventListener("beforeunload", guardAttached);
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
	removeEventListener("beforeunload", guardAttached);
});

const features = { approvals: true, followUp: true, resume: true, attachments: true };
const provider = { providerId: ProviderId.parse("codex"), label: "codex", target: "agent" as const, features, available: true };

/** Its own thread for each test: what is attached is held by thread. */
function detail(draft?: Draft): ThreadDetail {
	const threadId = ThreadId.parse(`thread${place}`);
	const thread = { threadId, sessionId: SessionId.parse(threadId), title: "t", lifecycleStatus: "ready" } as const;
	const times = { createdAt: at(0), updatedAt: at(1) };
	const turn = ended({}, undefined);
	return {
		thread: { ...thread, ...times, lastTaskArtifactRelativePaths: [], turns: [turn.turn], deleted: false },
		...{ turns: [turn], folder: "/home/threads/t", queued: [], queueHeld: false },
		...(draft && { draft }),
	};
}

function compose(draft?: Draft) {
	const none = fakeCapabilities({ maxActive: 1, maxQueued: 20 }, undefined);
	const here = new InApp({ ...appState, bridge: { ...appState.bridge, capabilities: { ...none, providers: [provider] } } });
	const { container } = render(<Composer busy={false} thread={detail(draft)} />, { wrapper: here.wrapper });
	const field = screen.getByRole("textbox", { name: "Message" });
	const attach = async (name: string) => {
		const input = container.querySelector("input[type=file]");
		if (input === null) throw new Error("there is nowhere to attach");
		await act(async () => fireEvent.change(input, { target: { files: [new File([name], name, { type: "text/plain" })] } }));
	};
	const send = async (prompt: string) => {
		fireEvent.change(field, { target: { value: prompt } });
		await act(() => until("it can be sent", () => !screen.getByRole("button", { name: "Send" }).hasAttribute("disabled")));
		fireEvent.keyDown(field, { key: "Enter" });
		await act(() => until("it is sent", () => app.of("send").length > 0));
		return app.of("send")[0] ?? {};
	};
	const type = (value: string) => fireEvent.change(field, { target: { value } });
	return { here, type, attach, send };
}

const asked = () => app.of("keepDraftFile");
const chip = (name: string) => screen.getByText(name).closest("li");
/** True when the browser asks before the page is left. */
const asksToStay = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
const keptFile = { fileId: DraftFileId.parse("file-of-before"), name: "before.txt", mediaType: "text/plain", sizeBytes: 3 };
const draft: Draft = { prompt: "", updatedAt: at(1), files: [{ ...keptFile, sha256: "0".repeat(64) }] };

it("an attached file goes to the app once, not with every letter, and with the message by its id alone", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	app.answers.set("keepDraftFile", () => promise);
	const { type, attach, send } = compose();
	await attach("a.txt");
	await act(() => until("it is on its way", () => asked().length === 1));
	expect(asksToStay()).toBe(true);
	resolve();
	await act(() => until("it is kept", () => !asksToStay()));
	type("half a thou");
	await act(() => until("the words are kept", () => app.of("saveDraft").length > 0));
	const [file] = asked();
	expect(file).toMatchObject({ threadId: `thread${place}`, name: "a.txt", mediaType: "text/plain", base64: btoa("a.txt") });
	const sent = await send("half a thought");
	expect(sent).toMatchObject({ prompt: "half a thought", draft: { files: [file?.fileId] } });
	expect(sent).not.toHaveProperty("attachments");
	expect(asked()).toHaveLength(1);
	await act(() => until("it is empty", () => screen.queryByText("a.txt") === null));
	expect(app.of("dropDraftFile")).toEqual([]);
});

it("what the app kept is attached again, also without words, and can be sent or removed", async () => {
	const { send } = compose(draft);
	expect(chip("before.txt")?.textContent).toBe("before.txtTXT, 3 B");
	expect(asksToStay()).toBe(false);
	expect(await send("now")).toMatchObject({ draft: { files: ["file-of-before"] } });
	cleanup();
	place++;
	compose(draft);
	fireEvent.click(screen.getByRole("button", { name: "Remove before.txt" }));
	await until("the app drops it", () => app.of("dropDraftFile").length === 1);
	expect(app.of("dropDraftFile")).toEqual([{ threadId: `thread${place}`, fileId: "file-of-before" }]);
	expect([asked(), screen.queryByText("before.txt")]).toEqual([[], null]);
});

it("what the app could not keep says why, is tried again, and goes with its bytes", async () => {
	app.answers.set("keepDraftFile", () => Promise.reject(Object.assign(new Error("the disk is full"), { name: "DISK_FULL" })));
	const { here, attach, send } = compose();
	await attach("a.txt");
	await act(() => until("it says why", () => screen.queryByRole("alert")?.textContent?.includes("the disk is full") === true));
	expect(asksToStay()).toBe(true);
	act(() => here.link.set("gone"));
	act(() => here.link.set("live"));
	await act(() => until("it is tried again", () => asked().length === 2));
	const sent = await send("look");
	expect(sent).toMatchObject({ draft: { files: [] }, attachments: [{ name: "a.txt", base64: btoa("a.txt") }] });
	await until("what may lie there is dropped", () => app.of("dropDraftFile").length === 1);
	expect(asked()[0]?.fileId).toBe(asked()[1]?.fileId);
});

it("a name with accents that its system wrote as characters of their own is composed, and attached", async () => {
	const { attach, send } = compose();
	await attach("résumé.txt".normalize("NFD"));
	await act(() => until("it is kept", () => !asksToStay()));
	expect(asked()).toMatchObject([{ name: "résumé.txt".normalize("NFC") }]);
	expect(await send("look")).toMatchObject({ draft: { files: [asked()[0]?.fileId] } });
});
