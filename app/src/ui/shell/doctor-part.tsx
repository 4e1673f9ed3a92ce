import { CircleAlert, CircleCheck, ClipboardCopy, Info, type LucideIcon, Package, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { BridgeView } from "../../core/ui-api.ts";
import type { Finding } from "../../doctor/finding.ts";
import { callApp } from "../client/call-app.ts";
import { tryAll } from "../client/provider-trials.ts";
import { bridgeState } from "../model/bridge-state.ts";
import { agentsInOrder, doctorHead, doctorReport, gatewayOf, ownFindings, pluginState } from "../model/doctor-view.ts";
import { formatBytes, formatSpan, formatWhen } from "../model/format.ts";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import { AgentList } from "./agent-list.tsx";
import { useApp, useProviders } from "./app-context.tsx";
import { CopyLine } from "./copy-line.tsx";
import { useClock } from "./now.ts";
import { Block } from "./settings-block.tsx";
import { attempt } from "./thread-acts.ts";
import { say } from "./toasts.tsx";
import { useAnswer } from "./use-answer.ts";

/** What works here, what does not, and what to do about it. */
export function DoctorPart() {
	const { bridge } = useApp().app;
	const providers = useProviders();
	const [isTesting, setTesting] = useState(false);
	const { answer: findings, problem } = useAnswer(() => callApp("doctor", {}), bridge);
	const { title, lead } = doctorHead(bridge);
	const testAll = () => {
		setTesting(true);
		void attempt(() => Promise.all([callApp("testBridge", {}), tryAll(providers)])).finally(() => setTesting(false));
	};
	const copy = () =>
		attempt(async () => {
			const report = doctorReport(findings ?? [], await callApp("settings", {}));
			await navigator.clipboard.writeText(report);
			say(words.picker.copied);
		});
	return (
		<>
			<header className="doctor-head">
				<div className="grow">
					<h2 className="h-page">{title}</h2>
					<p className="soft">{lead}</p>
				</div>
				<div className="flex">
					<button type="button" className="btn" disabled={isTesting} onClick={testAll}>
						<Icon of={RotateCcw} spin={isTesting} />
						{isTesting ? words.settings.testing : words.doctor.testAll}
					</button>
					<button type="button" className="btn" disabled={findings === undefined} onClick={() => void copy()}>
						<Icon of={ClipboardCopy} />
						{words.doctor.copyReport}
					</button>
				</div>
			</header>
			<BridgeBlock bridge={bridge} />
			<Block title={words.doctor.agents}>
				<AgentList providers={agentsInOrder(providers)} canTry />
			</Block>
			<GatewayBlock />
			<Block title={words.settings.findings}>
				{problem !== undefined && <p className="st st-bad wrap">{problem}</p>}
				<ul className="list">
					{ownFindings(findings ?? [], providers).map((finding) => (
						<FindingRow key={`${finding.about} ${finding.message}`} finding={finding} />
					))}
				</ul>
			</Block>
			<LimitsBlock bridge={bridge} />
		</>
	);
}

function BridgeBlock({ bridge }: { readonly bridge: BridgeView }) {
	const { app, clockAheadMs } = useApp();
	const { lane } = app;
	const shown = bridgeState(bridge, useClock() + clockAheadMs);
	const [isTesting, setTesting] = useState(false);
	const ask = (method: "testBridge" | "restartBridge") => {
		setTesting(true);
		void attempt(() => callApp(method, {})).finally(() => setTesting(false));
	};
	const waiting = lane.waiting.length;
	return (
		<Block title={words.settings.bridge}>
			<div className="list">
				<div className="item stack">
					<div className="grow">
						<div className={`st ${shown.tone}`}>{shown.text}</div>
						<div className="sub">
							<span className="wrap">{bridge.url}</span>
							<span className="num">{fill(words.doctor.since, { time: formatWhen(bridge.since, Date.now()) })}</span>
							{shown.detail !== undefined && <span className="wrap">{visibleName(shown.detail)}</span>}
							{waiting > 0 && <span className="num">{fill(words.doctor.waiting, { count: waiting })}</span>}
							{bridge.refusal !== undefined && (
								<span className="wrap">{visibleName(`${bridge.refusal.message} (${bridge.refusal.code})`)}</span>
							)}
						</div>
					</div>
					<div className="end">
						<button type="button" className="btn" disabled={isTesting} onClick={() => ask("testBridge")}>
							<Icon of={RotateCcw} />
							{isTesting ? words.settings.testing : words.settings.test}
						</button>
						{bridge.own && (
							<button type="button" className="btn" disabled={isTesting} onClick={() => ask("restartBridge")}>
								{shown.tone === "st-ok" ? words.settings.restart : words.settings.start}
							</button>
						)}
					</div>
					{bridge.refusal?.fix !== undefined && (
						<div className="full">
							<CopyLine text={bridge.refusal.fix} />
						</div>
					)}
				</div>
			</div>
		</Block>
	);
}

const pluginLooks = {
	ready: { icon: CircleCheck, tone: "st-ok" },
	wrong: { icon: CircleAlert, tone: "st-bad" },
	unknown: { icon: Info, tone: "st-off" },
} as const;

/** The gateway and, as far as it lets itself be asked, the plugin inside of it. */
function GatewayBlock() {
	const gateway = gatewayOf(useProviders());
	if (gateway === undefined) return null;
	const plugin = pluginState(gateway);
	const { icon, tone } = pluginLooks[plugin];
	return (
		<Block title={words.doctor.gateway}>
			<AgentList providers={[gateway]} canTry />
			<div className="list plugin">
				<div className="item prov">
					<Icon of={Package} />
					<div className="grow">
						<div className="nm">{words.doctor.plugin}</div>
						<div className="sub">
							<span className={`st ${tone}`}>
								<Icon of={icon} />
								{words.doctor.pluginState[plugin]}
							</span>
							<span>{words.doctor.pluginSay[plugin]}</span>
						</div>
					</div>
				</div>
			</div>
		</Block>
	);
}

const findingLooks: Readonly<Record<Finding["state"], { readonly icon: LucideIcon; readonly tone: string }>> = {
	ok: { icon: CircleCheck, tone: "st-ok" },
	note: { icon: Info, tone: "st-off" },
	problem: { icon: CircleAlert, tone: "st-bad" },
};

function FindingRow({ finding: { about, state, message, fix } }: { readonly finding: Finding }) {
	const { icon, tone } = findingLooks[state];
	return (
		<li className="item">
			<div className="grow">
				<div className="nm">{visibleName(about)}</div>
				<div className="sub">
					<span className={`st wrap ${tone}`}>
						<Icon of={icon} />
						{visibleName(message)}
					</span>
				</div>
			</div>
			{fix !== undefined && (
				<div className="full">
					<CopyLine text={fix} />
				</div>
			)}
		</li>
	);
}

function LimitsBlock({ bridge: { capabilities } }: { readonly bridge: BridgeView }) {
	if (capabilities === undefined) return null;
	const { limits } = capabilities;
	const { maxActive, maxQueued } = limits.openclaw;
	const rows: readonly (readonly [string, string])[] = [
		[words.settings.perFile, formatBytes(limits.attachmentBytes)],
		[words.settings.perMessage, formatBytes(limits.attachmentsBytes)],
		[words.settings.activeRuns, String(limits.maxActiveRuns)],
		[words.settings.openclaw, fill(words.settings.openclawSay, { active: maxActive, queued: maxQueued })],
		[words.settings.budget, formatSpan(limits.runBudgetMs)],
		[words.settings.approval, formatSpan(limits.approvalMs)],
	];
	return (
		<Block title={words.settings.limits}>
			<dl className="kv wide">
				{rows.map(([name, value]) => (
					<div key={name} className="kv-row">
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
		</Block>
	);
}
