import type { ProviderCapability, ThreadId } from "@xworkmate/contracts";
import { type KeyboardEvent, type Ref, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { SentTurn } from "../../api/app-api.ts";
import type { Draft, ThreadDetail } from "../../api/ui-api.ts";
import { staysHeld } from "../../composer/stays-held.ts";
import { fill, words } from "../../strings/interface.ts";
import { routingOf, SCRIPT, usableRouting } from "../agents/routing.ts";
import { draftFor, isAtApp } from "../drafts/own-drafts.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { isComposerWished } from "../state/composer-focus.ts";
import { preferences, setPreferences } from "../state/preferences.ts";
import { problemOf } from "../state/thread-actions.ts";
import { readsAsWords } from "../text/plain-words.ts";
import { visibleName } from "../text/visible-text.ts";
import { attachAgain, goneWords } from "./attach-again.ts";
import type { Attached } from "./attached.ts";
import { AttachmentChips } from "./attachment-chips.tsx";
import { contractBounds, nearFullWords, useAttachments } from "./attachments.ts";
import type { ComposerHandle } from "./composer-handle.ts";
import { ComposerNotes } from "./composer-notes.tsx";
import { demanding, firstOptions, isDemanding, optionsOf } from "./composer-options.ts";
import { ComposerTools } from "./composer-tools.tsx";
import { AsideNote, type DraftAside, keptPrompt, textAside } from "./draft-aside.tsx";
import { useDroppedFiles } from "./dropped-files.ts";
import { EarlierWords } from "./earlier-words.tsx";
import { GoneFiles } from "./gone-files.tsx";
import { placeholderOf } from "./placeholder-of.ts";
import { forgetPress } from "./pressed-ids.ts";
import { useHistory } from "./prompt-history.ts";
import { ScriptOffer } from "./script-offer.tsx";
import {
	type Composed,
	type ComposerOptions,
	enter,
	isJustBegun,
	leaveDraft,
	pressedMessage,
	sendComposed,
	useDraftKeeper,
} from "./send-composed.ts";
import { useSharedDraft } from "./shared-draft.ts";
import { typedSince } from "./typed-since.ts";
import { unconfirmedNotes, useUnconfirmed } from "./unconfirmed-press.ts";
import { useDemands } from "./use-demands.tsx";
import { useMention } from "./use-mention.tsx";

interface ComposerProps {
	/** Absent for a new thread. */
	readonly thread?: ThreadDetail;
	/** The thread's draft, which the app keeps for all windows. */
	readonly draft?: Draft;
	readonly busy: boolean;
	/** The thread that the new thread continues. */
	readonly continuesFrom?: SentTurn;
	readonly ref?: Ref<ComposerHandle>;
	onSent?(): void;
	onDraft?(isKept: boolean): void;
	/** Called with true if a message was sent that the app has not confirmed, otherwise with false. */
	onUnconfirmed?(is: boolean): void;
	/** Called with true if the message would go to Script, otherwise with false. */
	onScript?(is: boolean): void;
}

export function Composer({ thread, draft: told = thread?.draft, busy, continuesFrom, ref, onSent, onDraft, ...on }: ComposerProps) {
	const { onUnconfirmed, onScript } = on;
	const { app, state, announce } = useApp();
	const providers = useProviders();
	const limits = app.bridge.capabilities?.limits;
	const bounds = limits ? { fileBytes: limits.attachmentBytes, messageBytes: limits.attachmentsBytes } : contractBounds;
	const threadId = thread?.thread.threadId;
	const field = useRef<HTMLTextAreaElement>(null);
	const form = useRef<HTMLFormElement>(null);
	const [draft] = useState(() => draftFor(threadId, told));
	const [prompt, setPrompt] = useState(draft?.prompt ?? "");
	const [options, setOptions] = useState<ComposerOptions>(() => firstOptions(draft, thread?.turns.at(-1)));
	const demands = useDemands(options, setOptions);
	const [isChoosing, setChoosing] = useState(false);
	const [isSending, setSending] = useState(false);
	/** Why the app refused a message. It is shown as long as that message is in the field. */
	const [refused, setRefused] = useState<{ readonly prompt: string; readonly problem: string }>();
	const files = useAttachments(threadId ?? "new", bounds, draft?.files);
	const [gone, setGone] = useState<readonly string[]>([]);
	const isDropping = useDroppedFiles(field, files.add);
	const routing = options.routing ?? usableRouting(providers, preferences.value);
	const composed: Composed = { prompt, options: { ...options, ...(routing && { routing }) }, files: files.sent };
	const [aside, setAside] = useState<DraftAside>();
	const kept = { ...composed, prompt: keptPrompt(prompt, aside) };
	const keeper = useDraftKeeper({ threadId, composed: kept, isTold: draft === undefined || isAtApp(draft, told), onDraft });
	const isScript = routing?.providerId === SCRIPT;
	const isForAgent = useMemo(() => isScript && readsAsWords(prompt), [isScript, prompt]);
	const [isOffering, setOffering] = useState(false);
	if (isOffering && !isForAgent) setOffering(false);
	const isPaused = thread !== undefined && staysHeld(thread.queued);
	const hint = useId();
	const awayId = useId();
	const latest = useRef({ prompt: kept.prompt, typed: prompt, files });
	latest.current = { prompt: kept.prompt, typed: prompt, files };
	const focusField = () => requestAnimationFrame(() => field.current?.focus());
	const put = (text: string, its: ComposerOptions) => {
		const left = textAside(prompt, text, aside);
		if (left !== undefined) {
			const own = aside ?? { options, isRequiring: demands.isShown, files: new Set(files.attached.map(({ key }) => key)) };
			setAside({ ...own, prompt: left, instead: text });
		}
		setPrompt(text);
		setOptions(its);
		demands.setShown(demands.isShown || isDemanding(its));
		focusField();
	};
	const putAbove = (text: string) => {
		setPrompt((typed) => (typed === "" ? text : `${text}\n\n${typed}`));
		focusField();
	};
	useImperativeHandle(ref, () => ({
		write: (text, asked) => put(text, demanding(options, asked)),
		writeAgain: (turn) => {
			const left = attachAgain(files, turn, { prompt, aside });
			setGone(left);
			if (left.length > 0) announce(goneWords(left.map((name) => visibleName(name))));
			put(turn.request.prompt, optionsOf(turn));
		},
		choose: () => setChoosing(true),
		isFree: async () => {
			await keeper.settle();
			return latest.current.prompt === "" && latest.current.files.attached.length === 0;
		},
		takeUp: (taken) => {
			setOptions(firstOptions(taken, undefined));
			demands.setShown(isDemanding(taken));
			files.takeUp(taken.files ?? []);
			putAbove(taken.prompt);
		},
		putAbove,
		focus: () => field.current?.focus(),
	}));
	useEffect(() => {
		// In a new thread, the message field gets the focus, except on a touch screen, where the keyboard would cover the page.
		const wantsToWrite = threadId === undefined ? matchMedia("(pointer: fine)").matches : isJustBegun(threadId);
		const isWished = isComposerWished(threadId);
		if (wantsToWrite || isWished) field.current?.focus();
	}, [threadId]);
	const mention = useMention({ field, prompt, setPrompt, threadId, folder: options.workingDirectory });
	const history = useHistory(thread, prompt, setPrompt);
	const isComplete = prompt.trim() !== "" && routing !== undefined && demands.problem === undefined;
	const isReady = isComplete && !isSending && !files.isOver && state === "live" && files.isReady;
	const bringBack = (typed = "") => {
		setPrompt([typed, aside?.prompt ?? ""].filter((text) => text !== "").join("\n\n"));
		if (aside === undefined) return;
		setOptions(aside.options);
		demands.setShown(aside.isRequiring);
		setAside(undefined);
	};
	/** Removes what was sent. Text typed since then stays in the field or, for a new thread, becomes that thread's draft. */
	const clear = (sent: readonly Attached[]) => {
		keeper.forget();
		leaveShared();
		bringBack(threadId === undefined ? "" : typedSince(latest.current.typed, prompt));
		files.clear(sent);
		setGone([]);
	};
	const begin = (begun: ThreadId) => {
		const since = typedSince(latest.current.typed, prompt);
		if (since !== "") leaveDraft(begun, since, composed.options);
		enter(begun);
	};
	const cancelEdit = () => {
		files.clear(files.attached.filter(({ key }) => aside?.files.has(key) === false));
		setGone([]);
		bringBack();
		focusField();
	};
	const unconfirmed = useUnconfirmed({
		...{ thread, message: pressedMessage({ ...composed, continuesFrom }), isSending },
		settle: ({ begins }) => {
			forgetPress(threadId ?? "new");
			clear(files.sent);
			if (threadId === undefined) begin(begins as ThreadId);
		},
	});
	const isUnconfirmed = unconfirmed !== undefined && unconfirmed !== "lost";
	const leaveShared = useSharedDraft({ threadId, draft, told, files, prompt: kept.prompt, isHeld: isSending || isUnconfirmed }, () => {
		keeper.forget();
		setPrompt("");
		setGone([]);
		setOptions(demanding(options, {}));
		demands.setShown(false);
	});
	const note = unconfirmed && !(isSending && state === "live") ? unconfirmedNotes[unconfirmed] : undefined;
	const refusal = refused?.prompt === prompt && note === undefined ? refused.problem : undefined;
	useEffect(() => onUnconfirmed?.(isUnconfirmed), [onUnconfirmed, isUnconfirmed]);
	useEffect(() => onScript?.(isScript), [onScript, isScript]);
	useEffect(() => {
		if (note !== undefined) announce(note);
	}, [announce, note]);
	const isAway = state !== "live" && note === undefined && prompt.trim() !== "";
	const send = async (anyway = false) => {
		if (state !== "live" && prompt.trim() !== "") announce(note ?? words.composer.away);
		if (demands.problem !== undefined) announce(demands.problem);
		if (!isReady) return;
		setOffering(isForAgent && !anyway);
		if (isForAgent && !anyway) return;
		setSending(true);
		setRefused(undefined);
		const asked = demands.take();
		const went = await files.settle();
		const message = { prompt, options: { ...asked, routing }, routing, files: went, begin, queued: () => announce(words.composer.queued) };
		const problem = await problemOf(() => sendComposed({ ...message, ...(continuesFrom && { continuesFrom }) }, threadId, busy));
		setSending(false);
		if (problem !== undefined) {
			setRefused({ prompt, problem });
			announce(problem);
			return;
		}
		clear(went);
		if (routing.providerId !== undefined) setPreferences({ providerId: routing.providerId, model: routing.model });
		onSent?.();
		field.current?.focus();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing || event.keyCode === IME_KEY) return;
		if (mention.onKey(event)) return;
		if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
			event.preventDefault();
			void send();
		} else history(event);
	};
	const use = (provider: ProviderCapability) => {
		setOptions({ ...options, routing: routingOf(provider) });
		setOffering(false);
		announce(fill(words.picker.chosen, { name: visibleName(provider.label) }));
		field.current?.focus();
	};
	const closeOffer = () => {
		setOffering(false);
		field.current?.focus();
	};
	const describedBy =
		[...(isAway || note !== undefined || refusal !== undefined ? [awayId] : []), ...(isScript ? [hint] : [])].join(" ") || undefined;
	return (
		<form
			ref={form}
			className={`box ${isDropping ? "drops" : ""}`}
			aria-label={words.composer.message}
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
		>
			{isOffering && <ScriptOffer isReady={isReady} use={use} sendAnyway={() => void send(true)} close={closeOffer} />}
			<EarlierWords threadId={threadId} draft={told} own={draft?.prompt ?? ""} add={putAbove} />
			{aside !== undefined && <AsideNote aside={aside} cancel={cancelEdit} />}
			<GoneFiles names={gone.filter((name) => files.attached.every((file) => file.name !== name))} dismiss={() => setGone([])} />
			<AttachmentChips files={files} bounds={bounds} />
			{mention.shown}
			<textarea
				{...mention.aria}
				onKeyUp={mention.look}
				onClick={mention.look}
				onBlur={mention.close}
				ref={field}
				rows={Math.min(12, Math.max(thread === undefined ? 3 : 1, prompt.split("\n").length))}
				aria-label={words.composer.message}
				aria-describedby={describedBy}
				placeholder={
					isDropping
						? words.composer.dropHere
						: placeholderOf({ isThread: thread !== undefined, busy, isPaused, isLive: state === "live", isScript })
				}
				dir="auto"
				value={prompt}
				onChange={(event) => {
					setPrompt(event.target.value);
					mention.look();
				}}
				onKeyDown={onKeyDown}
				onPaste={(event) => {
					if (event.clipboardData.files.length === 0) return;
					event.preventDefault();
					files.add(event.clipboardData.files);
				}}
			/>
			<ComposerNotes {...{ note: note ?? refusal, isAway: isAway && refusal === undefined, awayId, isScript, isForAgent, hint }} />
			{demands.fields}
			<ComposerTools
				routing={routing}
				options={options}
				setOptions={setOptions}
				say={nearFullWords(files.totalBytes, bounds) ?? (thread === undefined ? words.composer.keys : "")}
				isChoosing={isChoosing}
				setChoosing={setChoosing}
				isRequiring={demands.isShown}
				require={() => {
					if (demands.toggle()) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(".glob-new")?.focus());
				}}
				attach={files.add}
				isReady={isReady}
				busy={busy}
			/>
		</form>
	);
}

/** Browsers report this key while an input method handles the real one, even if `isComposing` is set late. */
const IME_KEY = 229;
