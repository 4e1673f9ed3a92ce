import { Hand, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { fill, words } from "../../strings/interface.ts";
import { stageWords } from "../../strings/runs/states.ts";
import { isPastWork } from "../../text/runs/is-past-work.ts";
import { Icon } from "../components/icon.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { StopButton } from "../components/stop-button.tsx";
import { sayKept, type UnconfirmedStop } from "../state/use-stop.ts";
import { formatBytes, formatClock, formatSpan, formatTime } from "../text/format.ts";
import { asSentence } from "../text/sentence.ts";
import { visibleName } from "../text/visible-text.ts";
import { deriveRail } from "../turn/rail.ts";
import { queuedBehind, type TakenPlaces } from "../turn/thread-hint.ts";
import { asOfWords } from "../turn/tool-line.ts";
import { isAsking, isDiskFull, type TurnView } from "../turn/turn-view.ts";
import { StageRail } from "./stage-rail.tsx";

interface RunBarProps {
	readonly view: TurnView;
	/** When the turn was written. All times are by the bridge's clock. */
	readonly createdAt: string;
	readonly now: number;
	/** When the stop was requested; present once the app has saved the request, which it then delivers to the bridge. */
	readonly cancelRequestedAt?: string;
	/** When the bridge recorded a request to stop the run, which may come from another program or a plan. */
	readonly stoppingSince?: string;
	/** Present while the app has not confirmed a requested stop and only this browser is known to have the request. */
	readonly kept?: UnconfirmedStop;
	readonly deadlineAt?: string;
	/** True if the page has lost contact with the app, or the app with the bridge. */
	readonly away: boolean;
	/** True if the page has lost contact with the app. */
	readonly appAway?: boolean;
	/** When the run's state was last known, as in the list. */
	readonly asOf?: string | undefined;
	/** True if the app knows that the bridge's process has ended; the page's footer says so too. */
	readonly bridgeEnded?: boolean;
	/** Whether the execution target is the gateway, which determines what a queued turn waits for. */
	readonly gateway: boolean;
	/** How many runs are active; present only if the bridge cannot start another now. */
	readonly places?: TakenPlaces | undefined;
	stop(): void;
	tryNow(): void;
}

/** What the run is doing and since when, with the available actions. While contact is lost, it also says what that means for the run. */
export function RunBar(props: RunBarProps) {
	const { view, createdAt, now } = props;
	const isLost = props.away || view.lost !== undefined;
	const shown = isLost && view.lost === undefined ? { ...view, lost: { code: "APP_GONE" } } : view;
	const rail = deriveRail(shown, { createdAt, now, asOf: props.asOf });
	return (
		<section className="live" aria-label={words.run.label}>
			{isLost ? <LostLine {...props} /> : <StageLine {...props} />}
			<StageRail segments={rail} />
		</section>
	);
}

function LostLine(props: RunBarProps) {
	const { view, stop, tryNow } = props;
	const { title, say } = describeLost(props);
	const stopSay = sayStop(props);
	// The app tries again automatically after a failure of its own, and reconnecting does not make it try earlier.
	const isUnsaved = view.lost?.local === true && props.appAway !== true;
	return (
		<>
			<div className="live-t">
				<span className="st st-unk">
					<Icon of={WifiOff} />
				</span>
				<b className="grow strong">{title}</b>
				{!isUnsaved && (
					<button type="button" className="btn" onClick={tryNow}>
						{words.run.tryNow}
					</button>
				)}
				{stopSay === undefined && !isPastStop(view) && <StopButton stop={stop} word={words.run.stop} hasKeys />}
			</div>
			<p className="soft">{stopSay === undefined ? say : `${say} ${stopSay}`}</p>
		</>
	);
}

/** The state of a requested stop: who has received it, and who cannot be reached. */
function sayStop({ view, now, cancelRequestedAt, kept, appAway = false }: RunBarProps): string | undefined {
	const unconfirmed = view.lost?.local ? words.run.stopNotConfirmed : words.run.stopUnheard;
	if (cancelRequestedAt !== undefined) return fill(appAway ? words.run.stopSaved : unconfirmed, { ago: agoOf(cancelRequestedAt, now) });
	if (kept === "sending" && !appAway) return asSentence(words.run.stopSending);
	return kept && (appAway ? words.run.stopKept : sayKept(kept));
}

/** What is known about a run after contact with it was lost. Never claims that the run continues. */
function describeLost({ view, now, gateway, appAway, bridgeEnded = false }: RunBarProps): { readonly title: string; readonly say: string } {
	const { runId, status, gatewayQueue, lost, lastAt } = view;
	if (isDiskFull(view) && !appAway) {
		const isSent = runId !== undefined;
		return isSent
			? { title: words.run.diskFullTitle, say: words.run.diskFullSay }
			: { title: words.run.diskFullSending, say: words.run.diskFullSendingSay };
	}
	if (lost?.local && !appAway)
		return { title: words.run.localTitle, say: runId === undefined ? words.run.lostSendingSay : words.run.localSay };
	if (gatewayQueue !== undefined || status === "queued") return { title: words.run.lostWaiting, say: words.run.lostNever };
	if (view.syncing !== undefined) return { title: words.run.lostSaving, say: words.run.lostNever };
	if (runId === undefined) return { title: words.run.lostSending, say: words.run.lostSendingSay };
	if (lost?.bridgeEnded || (bridgeEnded && !gateway)) return { title: words.run.endedTitle, say: words.run.endedSay };
	const say = lastAt === undefined ? words.run.lostNever : fill(words.run.lostSay, { ago: agoOf(lastAt, now) });
	return { title: words.run.lostTitle, say };
}

/** "just now", "4 s ago". */
function agoOf(at: string, now: number): string {
	const seconds = Math.floor((now - Date.parse(at)) / 1000);
	return seconds < 1 ? words.run.justNow : fill(words.run.ago, { time: formatSpan(seconds * 1000).replace(".0", "") });
}

function StageLine(props: RunBarProps) {
	const { view, now, stop, cancelRequestedAt, kept } = props;
	const { chip, say, meta, stopWord } = describe(props);
	const isNeed = chip === "need";
	const line = (
		<div className="live-t">
			{isNeed ? (
				<span className="chip st st-need">
					<Icon of={Hand} />
					{words.rail.waiting}
				</span>
			) : (
				chip
			)}
			<span className="cut soft">{say}</span>
			<span className="grow" />
			<span className="muted num nowrap hide-n small">{meta ?? lastUpdate(view, now)}</span>
			{stopWord !== undefined && cancelRequestedAt === undefined && kept === undefined && (
				<StopButton stop={stop} word={stopWord} hasKeys />
			)}
		</div>
	);
	if (kept === undefined || kept === "sending" || cancelRequestedAt !== undefined) return line;
	return (
		<>
			{line}
			<p className="soft">{sayKept(kept)}</p>
		</>
	);
}

function toAnswer({ items }: TurnView): string {
	const open = items.filter((item) => item.kind === "approval" && item.approval.state === "pending").length;
	return open < 2 ? words.run.toAnswer : fill(words.run.toAnswerAll, { count: open });
}

interface Described {
	readonly chip: ReactNode;
	readonly say: string;
	readonly meta?: string;
	readonly stopWord?: string;
}

function describe(props: RunBarProps): Described {
	const { view, createdAt, now, kept, stoppingSince, cancelRequestedAt = stoppingSince, deadlineAt, gateway, places } = props;
	const stage = view.progress?.stage;
	if (view.syncing !== undefined) {
		const { files, totalBytes } = view.syncing;
		const say = fill(words.run.files, { count: files, bytes: formatBytes(totalBytes) });
		return { chip: <StateChip state="syncing" look="word" spin />, say, meta: words.run.cannotStop };
	}
	const isLate = isPastStop(view) && view.stages.every(({ stage }) => stage !== "stopping");
	if ((cancelRequestedAt !== undefined || kept === "sending") && !isLate) {
		const asked =
			cancelRequestedAt === undefined ? words.run.stopSending : fill(words.run.stopping, { ago: agoOf(cancelRequestedAt, now) });
		// The thread's header and its row in the list say the same about a run that has begun. Only the bridge knows if the run is already
		// stopping.
		if (isBegun(view)) return { chip: <StateChip state="running" word={asked} look="word" spin />, say: "" };
		const { kept: _kept, cancelRequestedAt: _asked, stoppingSince: _by, ...before } = props;
		return { chip: describe(before).chip, say: asked };
	}
	if (stage === "stopping") return { chip: <StateChip state="running" word={stageWords.stopping} look="word" spin />, say: "" };
	const { gatewayQueue: place } = view;
	if (place !== undefined || stage === "queued") {
		const meta = fill(words.run.waits, { time: formatClock(now - Date.parse(createdAt)) });
		const say = view.gatewayQueue?.paused?.message ?? (gateway ? words.run.queuedGateway : queuedBehind(places));
		return {
			chip: <StateChip state="queued" {...(place === undefined ? queuePlace(view) : { place })} look="word" />,
			say: visibleName(say),
			meta,
			stopWord: words.run.cancel,
		};
	}
	if (isAsking(view)) return { chip: "need", say: toAnswer(view), ...ends(deadlineAt), stopWord: words.run.stop };
	if (view.runId === undefined)
		return { chip: <StateChip state="sending" look="word" spin />, say: words.run.sending, meta: "", stopWord: words.run.cancel };
	// A stage that is still `waiting_approval` is out of date: the request has been answered, but the agent has not reported progress yet.
	const isPast = isPastStop(view);
	const word = stageWords[stage === undefined || stage === "waiting_approval" ? "working" : stage];
	return {
		chip: <StateChip state="running" word={word} look="word" spin />,
		// The plan's last step may never be reported as done, and the agent works on none of them any more.
		say: visibleName((isPast ? undefined : planStep(view)) ?? view.progress?.message ?? ""),
		...(isPast ? { meta: words.run.cannotStop } : { stopWord: words.run.stop }),
	};
}

/** True if the agent has ended and only the run's files are still being handled, which a stop doesn't prevent. */
export function isPastStop({ syncing, progress }: TurnView): boolean {
	return syncing !== undefined || isPastWork(progress?.stage);
}

/** Whether the list calls the run running: it has begun, and is not waiting for the user. */
function isBegun(view: TurnView): boolean {
	const { runId, status, gatewayQueue, progress } = view;
	return runId !== undefined && status !== "queued" && gatewayQueue === undefined && progress?.stage !== "queued" && !isAsking(view);
}

/** The bridge does not report every change of a run's position in its queue, so a position is meaningful only together with its time. */
function queuePlace({ progress, lastAt }: TurnView): { readonly word?: string } {
	if (progress?.queuePosition === undefined || progress.queueLength === undefined || lastAt === undefined) return {};
	const state = fill(words.run.queued, { position: progress.queuePosition, length: progress.queueLength });
	return { word: asOfWords(state, lastAt) };
}

function planStep({ plan }: TurnView): string | undefined {
	const index = plan?.findIndex(({ state }) => state === "in_progress") ?? -1;
	const entry = plan?.[index];
	return entry === undefined ? undefined : fill(words.run.step, { now: index + 1, all: plan?.length ?? 0, name: entry.content });
}

function ends(deadlineAt: string | undefined): { readonly meta?: string } {
	return deadlineAt === undefined ? {} : { meta: fill(words.run.ends, { time: formatTime(deadlineAt) }) };
}

function lastUpdate({ lastAt }: TurnView, now: number): string {
	return lastAt === undefined ? "" : fill(words.run.updated, { ago: agoOf(lastAt, now) });
}
