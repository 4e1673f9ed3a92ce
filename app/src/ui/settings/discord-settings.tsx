import type { Operator } from "@xworkmate/contracts";
import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle, type LucideIcon, RotateCcw, Unplug } from "lucide-react";
import { useState } from "react";
import { fill } from "../../strings/interface.ts";
import { operatorFindingWords, operatorStateWords, discordWords as words } from "../../strings/settings/operator-words.ts";
import { messageInLocalTime } from "../../text/local-time.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { useAnswer } from "../state/use-answer.ts";
import { useClock } from "../state/use-clock.ts";
import { formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { Block } from "./settings-block.tsx";

const looks: Readonly<Record<Operator["state"], { readonly icon: LucideIcon; readonly tone: string }>> = {
	off: { icon: CircleDashed, tone: "st-off" },
	connecting: { icon: LoaderCircle, tone: "st-run" },
	connected: { icon: CircleCheck, tone: "st-ok" },
	slowed: { icon: CircleAlert, tone: "st-off" },
	lost: { icon: Unplug, tone: "st-unk" },
	refused: { icon: CircleAlert, tone: "st-bad" },
};

const READ_EVERY_MS = 10_000;

/** Discord: its state, what is wrong and how to fix it, and how to set it up. Its settings are the forms below. */
export function DiscordSettings() {
	const { state } = useApp();
	const [asked, setAsked] = useState(0);
	const turn = Math.floor(useClock() / READ_EVERY_MS);
	const { answer, problem } = useAnswer(() => callApp("operators", {}), `${state} ${asked} ${turn}`);
	const discord = answer?.operators.find(({ operatorId }) => operatorId === "discord");
	if (answer === undefined || problem !== undefined) {
		return problem === undefined ? (
			<p className="muted">{words.loading}</p>
		) : (
			<div className="note bad" role="alert">
				<p className="grow">
					<b>{words.failed}</b> {problem}
				</p>
				<button type="button" className="btn" onClick={() => setAsked(asked + 1)}>
					{words.again}
				</button>
			</div>
		);
	}
	const isOff = discord === undefined || discord.state === "off";
	const lead = isOff ? words.off : leadOf(discord);
	return (
		<>
			<header className="doctor-head">
				<p className="soft grow">{lead}</p>
				<button type="button" className="btn" onClick={() => setAsked(asked + 1)}>
					<Icon of={RotateCcw} />
					{words.again}
				</button>
			</header>
			{discord !== undefined && discord.findings.length > 0 && <Problems {...discord} />}
			<Connection {...(discord && { discord })} />
			{isOff && <HowTo />}
		</>
	);
}

/** What a bot that is set up does now. Undefined while it does nothing: its state, and what to do about it, are below. */
function leadOf({ state, findings }: Operator): string | undefined {
	if (state !== "connected" && state !== "slowed") return undefined;
	return findings.some(({ code }) => code === "DISCORD_NO_APPROVER") ? words.onWithoutApprover : words.on;
}

function Problems({ findings }: Pick<Operator, "findings">) {
	const now = useClock();
	return (
		<Block title={sayCount(findings.length, words.problems)}>
			<ul className="list">
				{findings.map(({ code, message, fix }) => (
					<li className="item" key={`${code} ${message}`}>
						<div className="grow">
							<div className="nm">{operatorFindingWords[code]}</div>
							<div className="sub">
								<span className="wrap">{visibleName(messageInLocalTime(code, message, now))}</span>
							</div>
						</div>
						<span className="code-chip">{code}</span>
						<div className="full">
							<CopyLine text={fix} />
						</div>
					</li>
				))}
			</ul>
		</Block>
	);
}

/** A bridge that does not support Discord is shown like one in which Discord is not set up. */
function Connection({ discord }: { readonly discord?: Operator }) {
	const now = useClock();
	const state = discord?.state ?? "off";
	const { icon, tone } = looks[state];
	return (
		<Block title={words.connection}>
			<ul className="list">
				<li className="item">
					<div className="grow">
						<div className="nm">
							{visibleName(discord?.account ?? "Discord")}
							{discord?.account !== undefined && <span className="muted normal"> {words.bot}</span>}
						</div>
						<div className="sub" aria-live="polite">
							<span className={`st ${tone}`}>
								<Icon of={icon} spin={state === "connecting"} />
								{operatorStateWords[state]}
							</span>
							{discord !== undefined && state !== "off" && <span>{fill(words.since, { time: formatWhen(discord.since, now) })}</span>}
						</div>
					</div>
				</li>
			</ul>
			{discord !== undefined && discord.unknownPosts > 0 && (
				<p className="note">
					<Icon of={CircleAlert} />
					<span className="grow">{sayCount(discord.unknownPosts, words.unknownPosts)}</span>
				</p>
			)}
		</Block>
	);
}

function HowTo() {
	return (
		<Block title={words.howTitle}>
			<ol className="how-to">
				{words.how.map((step, index) => (
					<li key={step}>
						<span className="stepn" aria-hidden="true">
							{index + 1}
						</span>
						<div>
							<p>{step}</p>
						</div>
					</li>
				))}
			</ol>
		</Block>
	);
}
