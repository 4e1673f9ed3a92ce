import { ShieldCheck } from "lucide-react";
import type { Finding } from "../../api/ui-api.ts";
import { fill } from "../../strings/interface.ts";
import { verifyWords as words } from "../../strings/settings/verify-words.ts";
import { localTime } from "../../text/local-time.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { homeVerification, stopVerifyingHome, verifyHome } from "../doctor/home-verification.ts";
import { useApp } from "../state/app-context.tsx";
import { useClock } from "../state/use-clock.ts";
import { formatBytes, formatShort } from "../text/format.ts";
import { FindingRow } from "./finding-row.tsx";
import { Block } from "./settings-block.tsx";

/** Verifies everything that is stored, and shows the last result with its age. */
export function VerifyBlock() {
	const { verified, isRunning, progress, problem } = useStore(homeVerification);
	const { announce } = useApp();
	const verify = async () => {
		await verifyHome();
		const { verified: now, problem: why } = homeVerification.value;
		announce(why ?? sayResult(now?.findings ?? []));
	};
	return (
		<Block
			title={words.title}
			end={
				isRunning ? (
					<button type="button" className="btn" onClick={stopVerifyingHome}>
						{words.stop}
					</button>
				) : (
					<button type="button" className="btn" onClick={() => void verify()}>
						<Icon of={ShieldCheck} />
						{words.verify}
					</button>
				)
			}
		>
			<p className="soft say">{words.say}</p>
			{isRunning && (
				<p>
					<span role="status">{words.begun}</span>
					{/* Text that changes several times a second is not announced. */}
					{progress !== undefined && <span className="muted num"> {sayProgress(progress)}</span>}
				</p>
			)}
			{problem !== undefined && <p className="st st-unk wrap">{problem}</p>}
			{verified !== undefined && <Result {...verified} />}
		</Block>
	);
}

type Shown = NonNullable<typeof homeVerification.value.progress>;

function sayProgress({ part, done, of }: Shown): string {
	const name = words.parts[part];
	if (of === undefined) return name;
	const size = part === "storedFiles" ? formatBytes : String;
	return fill(words.howFar, { part: name, done: size(done), of: size(of) });
}

function sayResult(findings: readonly Finding[]): string {
	return findings.some(({ state }) => state === "problem") ? words.damaged : words.intact;
}

function Result({ findings, at, tookMs }: NonNullable<typeof homeVerification.value.verified>) {
	const now = useClock();
	return (
		<>
			<p>
				<b>{sayResult(findings)}</b>{" "}
				<span className="muted small num">{fill(words.asOf, { time: localTime(at, now), span: formatShort(tookMs) })}</span>
			</p>
			<ul className="list">
				{findings.map((finding) => (
					<FindingRow key={`${finding.about} ${finding.message}`} finding={finding} />
				))}
			</ul>
		</>
	);
}
