import { ClipboardCopy, Plug, RotateCcw, ScrollText, Unplug } from "lucide-react";
import { useState } from "react";
import type { BridgeView } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { doctorWords } from "../../strings/settings/doctor-words.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { fixFor } from "../../strings/user-fixes.ts";
import { localTime } from "../../text/local-time.ts";
import { AgentList } from "../agents/agent-list.tsx";
import { tryAll } from "../agents/provider-trials.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { bridgeState } from "../doctor/bridge-state.ts";
import { agentsInOrder, type DatedFindings, doctorHead, doctorReport, ownFindings } from "../doctor/doctor-view.ts";
import { bridgeRestart, RestartButton } from "../setting-forms/restart-button.tsx";
import { useApp, useProviders } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { useAnswer } from "../state/use-answer.ts";
import { useClock } from "../state/use-clock.ts";
import { formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { FindingRow } from "./finding-row.tsx";
import { GatewayBlock } from "./gateway-block.tsx";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";
import { VerifyBlock } from "./verify-block.tsx";

/** Problems and their fixes, and what works. */
export function DiagnosticsSettings() {
	const { app, state } = useApp();
	const bridge = useBridge(app.bridge);
	const providers = useProviders();
	const [isTesting, setTesting] = useState(false);
	const [asked, setAsked] = useState(0);
	const { answer, problem } = useAnswer(lookNow, `${asked} ${JSON.stringify(bridge)}`);
	const { answer: settings } = useSettings();
	const findings = answer && ownFindings(answer.findings, providers);
	const { title, lead } = doctorHead(bridge, state === "live", { findings, problem });
	const testAll = () => {
		setTesting(true);
		void attempt(() => Promise.all([callApp("testBridge", {}), tryAll(providers)])).finally(() => {
			setTesting(false);
			setAsked((before) => before + 1);
		});
	};
	const copy = () =>
		attempt(async () => {
			if (answer === undefined) return;
			const report = doctorReport(answer, await callApp("settings", {}));
			await navigator.clipboard.writeText(report);
			say(words.copy.copied);
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
						{isTesting ? settingsPageWords.testing : doctorWords.testAll}
					</button>
					<button type="button" className="btn" disabled={answer === undefined || problem !== undefined} onClick={() => void copy()}>
						<Icon of={ClipboardCopy} />
						{doctorWords.copyReport}
					</button>
				</div>
			</header>
			<BridgeBlock bridge={bridge} />
			<Block title={doctorWords.agents}>
				<AgentList providers={agentsInOrder(providers)} canTry />
			</Block>
			<GatewayBlock title={doctorWords.openclaw} />
			<Block
				title={settingsPageWords.findings}
				end={
					<>
						{answer !== undefined && <CheckedAt at={answer.at} />}
						<button
							type="button"
							className="ib"
							aria-label={settingsPageWords.refresh}
							title={settingsPageWords.refresh}
							onClick={() => setAsked(asked + 1)}
						>
							<Icon of={RotateCcw} />
						</button>
					</>
				}
			>
				{problem !== undefined && <p className="st st-bad wrap">{problem}</p>}
				{findings !== undefined && (
					<ul className="list">
						{findings.map((finding) => (
							<FindingRow key={`${finding.about} ${finding.message}`} finding={finding} />
						))}
					</ul>
				)}
			</Block>
			<VerifyBlock />
			{settings !== undefined && (
				<Block title={settingsPageWords.set}>
					<p className="soft say">{settingsPageWords.setSay}</p>
					<SettingRows
						settings={[
							{ name: settingsPageWords.setNames, value: settings.set, code: true },
							...(settings.bridgeUrl === undefined
								? []
								: [{ name: settingsPageWords.bridgeAddress, value: settings.bridgeUrl, code: true, variable: "XWORKMATE_BRIDGE_URL" }]),
						]}
						set={settings.set}
					/>
				</Block>
			)}
			<p>
				<a className="btn" href={hrefOf({ page: "settings", part: "log" })}>
					<Icon of={ScrollText} />
					{settingsPageWords.openBridgeLog}
				</a>
			</p>
		</>
	);
}

/** While this page restarts the bridge and the app reports no other trouble, the bridge is shown as restarting. */
function useBridge(bridge: BridgeView): BridgeView {
	const isRestarting = useStore(bridgeRestart);
	if (!isRestarting || bridge.trouble !== undefined) return bridge;
	const { refusal: _expected, ...known } = bridge;
	return { ...known, trouble: { what: "ended", own: true } };
}

/** The findings, and when they were made, because the state of a disk or a folder can change within hours. */
async function lookNow(): Promise<DatedFindings> {
	return { findings: await callApp("doctor", {}), at: new Date().toISOString() };
}

function CheckedAt({ at }: { readonly at: string }) {
	const time = localTime(at, useClock());
	return <span className="muted small num normal">{fill(settingsPageWords.checkedAt, { time })}</span>;
}

function BridgeBlock({ bridge }: { readonly bridge: BridgeView }) {
	const { app, clockAheadMs } = useApp();
	const { gatewayQueue } = app;
	const shown = bridgeState(bridge, useClock() + clockAheadMs);
	const [isTesting, setTesting] = useState(false);
	const test = () => {
		setTesting(true);
		void attempt(() => callApp("testBridge", {})).finally(() => setTesting(false));
	};
	const waiting = gatewayQueue.waiting.length;
	return (
		<Block title={settingsPageWords.bridge}>
			<div className="list">
				<div className="item stack">
					<div className="grow">
						<div className={`st ${shown.tone}`}>
							<Icon of={shown.tone === "st-ok" ? Plug : Unplug} />
							{shown.text}
						</div>
						<div className="sub">
							<span className="wrap">{bridge.url}</span>
							<span className="num nowrap">{fill(doctorWords.since, { time: formatWhen(bridge.since, Date.now()) })}</span>
							{shown.detail !== undefined && <span className="wrap">{visibleName(shown.detail)}</span>}
							{waiting > 0 && <span className="num">{fill(doctorWords.waiting, { count: waiting })}</span>}
							{bridge.refusal !== undefined && (
								<span className="wrap">{visibleName(`${bridge.refusal.message} (${bridge.refusal.code})`)}</span>
							)}
						</div>
					</div>
					<div className="end">
						<button type="button" className="btn" disabled={isTesting} onClick={test}>
							<Icon of={RotateCcw} />
							{isTesting ? settingsPageWords.testing : settingsPageWords.test}
						</button>
						{bridge.own && bridge.startedByUser !== true && <RestartButton startWord={settingsPageWords.start} />}
					</div>
					{bridge.refusal?.fix !== undefined && (
						<div className="full">
							<CopyLine text={fixFor(bridge.refusal.code, bridge.refusal.fix) ?? ""} />
						</div>
					)}
				</div>
			</div>
		</Block>
	);
}
