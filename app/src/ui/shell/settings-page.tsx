import { CircleAlert, CircleCheck, Info, type LucideIcon, RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import type { SettingsView } from "../../core/ui-api.ts";
import type { Finding } from "../../doctor/finding.ts";
import { sayError } from "../client/app-refusal.ts";
import { callApp } from "../client/call-app.ts";
import { formatBytes, formatSpan } from "../model/format.ts";
import { visibleName, visibleText } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import { AgentList } from "./agent-list.tsx";
import { useApp, useProviders } from "./app-context.tsx";
import { CopyLine } from "./copy-line.tsx";
import { KeysPart, LookPart } from "./look-settings.tsx";
import { PageBar } from "./page-bar.tsx";
import { hrefOf } from "./route.ts";
import { Block } from "./settings-block.tsx";
import { attempt } from "./thread-acts.ts";

const parts = {
	doctor: words.settings.doctor,
	look: words.settings.look,
	places: words.settings.places,
	log: words.settings.bridgeLog,
	keys: words.settings.keys,
} as const;
type Part = keyof typeof parts;

function isPart(part: string): part is Part {
	return Object.hasOwn(parts, part);
}

export default function SettingsPage({ part }: { readonly part: string }) {
	const here = isPart(part) ? part : "doctor";
	return (
		<main className="main">
			<PageBar title={words.settings.title} />
			<div className="set">
				<nav aria-label={words.settings.title}>
					{Object.keys(parts)
						.filter(isPart)
						.map((key) => (
							<a key={key} href={hrefOf({ page: "settings", part: key })} aria-current={key === here ? "page" : undefined}>
								{parts[key]}
							</a>
						))}
				</nav>
				<div className="scroll">
					<div className="page">
						<h2 className="h-page">{parts[here]}</h2>
						{here === "doctor" && <DoctorPart />}
						{here === "look" && <LookPart />}
						{here === "places" && <PlacesPart />}
						{here === "log" && <BridgeLogPart />}
						{here === "keys" && <KeysPart />}
					</div>
				</div>
			</div>
		</main>
	);
}

/** What the app answers, or that it does not. */
function useAnswer<T>(ask: () => Promise<T>, again: unknown): { readonly answer?: T; readonly problem?: string } {
	const [answer, setAnswer] = useState<{ readonly answer?: T; readonly problem?: string }>({});
	// biome-ignore lint/correctness/useExhaustiveDependencies: asked once, and again when the caller says so
	useEffect(() => {
		let stale = false;
		ask().then(
			(value) => !stale && setAnswer({ answer: value }),
			(error: unknown) => !stale && setAnswer({ problem: sayError(error) }),
		);
		return () => {
			stale = true;
		};
	}, [again]);
	return answer;
}

function DoctorPart() {
	const { app } = useApp();
	const { bridge } = app;
	const providers = useProviders();
	const [isTesting, setTesting] = useState(false);
	const { answer: findings, problem } = useAnswer(() => callApp("doctor", {}), bridge);
	const test = (method: "testBridge" | "restartBridge") => {
		setTesting(true);
		void attempt(() => callApp(method, {})).finally(() => setTesting(false));
	};
	const limits = bridge.capabilities?.limits;
	const tone = bridge.state === "connected" ? "st-ok" : bridge.state === "starting" ? "st-run" : "st-bad";
	return (
		<>
			<Block title={words.settings.bridge}>
				<div className="list">
					<div className="item stack">
						<div className="grow">
							<div className={`st ${tone}`}>{words.bridge[bridge.state]}</div>
							<div className="sub">
								<span className="wrap">{bridge.url}</span>
								{bridge.refusal !== undefined && (
									<span className="wrap">{visibleName(`${bridge.refusal.message} (${bridge.refusal.code})`)}</span>
								)}
							</div>
						</div>
						<div className="end">
							<button type="button" className="btn" disabled={isTesting} onClick={() => test("testBridge")}>
								<Icon of={RotateCcw} />
								{isTesting ? words.settings.testing : words.settings.test}
							</button>
							{bridge.own && (
								<button type="button" className="btn" disabled={isTesting} onClick={() => test("restartBridge")}>
									{bridge.state === "connected" ? words.settings.restart : words.settings.start}
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
			<Block title={words.settings.agents}>
				<AgentList providers={providers} />
			</Block>
			<Block title={words.settings.findings}>
				{problem !== undefined && <p className="st st-bad wrap">{problem}</p>}
				<ul className="list">
					{findings?.map((finding) => (
						<FindingRow key={`${finding.about} ${finding.message}`} finding={finding} />
					))}
				</ul>
			</Block>
			{limits && (
				<Block title={words.settings.limits}>
					<dl className="kv wide">
						<dt>{words.settings.perFile}</dt>
						<dd>{formatBytes(limits.attachmentBytes)}</dd>
						<dt>{words.settings.perMessage}</dt>
						<dd>{formatBytes(limits.attachmentsBytes)}</dd>
						<dt>{words.settings.activeRuns}</dt>
						<dd>{limits.maxActiveRuns}</dd>
						<dt>{words.settings.openclaw}</dt>
						<dd>{fill(words.settings.openclawSay, { active: limits.openclaw.maxActive, queued: limits.openclaw.maxQueued })}</dd>
						<dt>{words.settings.budget}</dt>
						<dd>{formatSpan(limits.runBudgetMs)}</dd>
						<dt>{words.settings.approval}</dt>
						<dd>{formatSpan(limits.approvalMs)}</dd>
					</dl>
				</Block>
			)}
		</>
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

function PlacesPart() {
	const { answer, problem } = useAnswer<SettingsView>(() => callApp("settings", {}), undefined);
	if (answer === undefined) return <p className="muted">{problem ?? words.page.loading}</p>;
	const rows: readonly (readonly [string, string])[] = [
		[words.settings.home, answer.home],
		[words.settings.threads, answer.threadsFolder],
		[words.settings.log, answer.logFile],
		[words.settings.app, answer.appUrl],
		[words.settings.bridge, answer.bridgeUrl ?? ""],
		[words.settings.roots, answer.allowedRoots.join(", ") || words.settings.noRoots],
		[words.settings.set, answer.set.join(", ") || words.settings.nothingSet],
		[words.settings.version, answer.version],
	];
	return (
		<dl className="kv wide">
			{rows.map(([name, value]) => (
				<div key={name} className="kv-row">
					<dt>{name}</dt>
					<dd className="wrap">
						<code>{visibleName(value)}</code>
					</dd>
				</div>
			))}
		</dl>
	);
}

function BridgeLogPart() {
	const { answer, problem } = useAnswer(() => callApp("bridgeLog", {}), undefined);
	if (answer === undefined) return <p className="muted">{problem ?? words.page.loading}</p>;
	return (
		<>
			{answer.truncated && <p className="muted">{words.settings.truncated}</p>}
			{answer.text === "" ? (
				<p className="muted">{words.settings.emptyLog}</p>
			) : (
				<pre className="code whole">{visibleText(answer.text, "keep").text}</pre>
			)}
		</>
	);
}
