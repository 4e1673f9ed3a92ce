import { ShieldCheck } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { verifyWords as words } from "../../strings/verify-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { homeVerification, stopVerifyingHome, verifyHome } from "../doctor/home-verification.ts";
import { formatBytes, formatShort, formatTime } from "../text/format.ts";
import { FindingRow } from "./finding-row.tsx";
import { Block } from "./settings-block.tsx";

/** Verifies everything that is stored, and shows the last result with its age. */
export function VerifyBlock() {
	const { verified, isRunning, progress, problem } = useStore(homeVerification);
	return (
		<Block
			title={words.title}
			end={
				isRunning ? (
					<button type="button" className="btn" onClick={stopVerifyingHome}>
						{words.stop}
					</button>
				) : (
					<button type="button" className="btn" onClick={() => void verifyHome()}>
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
			{problem !== undefined && (
				<p className="st st-unk wrap" role="status">
					{problem}
				</p>
			)}
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

function Result({ findings, at, tookMs }: NonNullable<typeof homeVerification.value.verified>) {
	const isWrong = findings.some(({ state }) => state === "problem");
	return (
		<>
			<p role={isWrong ? "alert" : "status"}>
				<b>{isWrong ? words.damaged : words.intact}</b>{" "}
				<span className="muted small num">{fill(words.asOf, { time: formatTime(at), span: formatShort(tookMs) })}</span>
			</p>
			<ul className="list">
				{findings.map((finding) => (
					<FindingRow key={`${finding.about} ${finding.message}`} finding={finding} />
				))}
			</ul>
		</>
	);
}
