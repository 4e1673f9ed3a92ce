import { useMemo } from "react";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { localZone } from "../../text/zoned-time.ts";
import { Choice } from "../components/form-field.tsx";
import { type Every, isTime, type PlanDraft } from "./plan-draft.ts";

const words = plansPageWords.form;

interface WhenFieldsProps {
	readonly draft: PlanDraft;
	change(change: Partial<PlanDraft>): void;
	/** True for an existing plan, whose time can be changed, but not its type (now, once or repeatedly). */
	readonly isMade?: boolean;
	/** The id of the text that says that the date or the time is missing; absent if no text says so. */
	readonly describedBy?: string | undefined;
}

/** When a plan is due: now, once, or repeatedly. */
export function WhenFields({ draft, change, isMade = false, describedBy }: WhenFieldsProps) {
	const { when, date, time } = draft;
	const kinds = (["now", "once", "repeats"] as const).filter((kind) => !isMade || kind === when);
	return (
		<div className="stack2">
			<fieldset className="seg" aria-label={words.when}>
				{kinds.map((kind) => (
					<button key={kind} type="button" aria-pressed={kind === when} onClick={() => change({ when: kind })}>
						{words[kind]}
					</button>
				))}
			</fieldset>
			{when === "once" && (
				<div className="pair wraps">
					<input
						type="date"
						className="in fit"
						aria-label={words.date}
						aria-describedby={describedBy}
						aria-invalid={describedBy !== undefined && date === ""}
						value={date}
						onChange={(event) => change({ date: event.target.value })}
					/>
					<span className="muted">{words.at}</span>
					<TimeField {...{ time, change, describedBy }} />
				</div>
			)}
			{when === "repeats" && <Repeats {...{ draft, change, describedBy }} />}
		</div>
	);
}

function Repeats({ draft, change, describedBy }: WhenFieldsProps) {
	const { every, time, days, dayOfMonth, cron, timezone } = draft;
	const zones = useMemo(() => {
		const own = localZone();
		const all = [own, "UTC", ...Intl.supportedValuesOf("timeZone")];
		return [...new Set([timezone, ...all])].map((value) => ({ value, name: value.replaceAll("_", " ") }));
	}, [timezone]);
	const choices = (Object.keys(words.everyChoices) as Every[]).map((value) => ({ value, name: words.everyChoices[value] }));
	return (
		<>
			<div className="pair wraps">
				<Choice label={words.every} value={every} choices={choices} choose={(chosen) => change({ every: chosen })} isNarrow />
				{every === "month" && (
					<input
						type="number"
						className="in fit"
						min={1}
						max={31}
						aria-label={words.dayOfMonth}
						value={dayOfMonth}
						onChange={(event) => change({ dayOfMonth: Number(event.target.value) })}
					/>
				)}
				{every === "cron" ? (
					<input
						className="in"
						aria-label={words.cron}
						value={cron}
						spellCheck={false}
						onChange={(event) => change({ cron: event.target.value })}
					/>
				) : (
					<>
						<span className="muted">{every === "hour" ? words.atMinute : words.at}</span>
						{every === "hour" ? <MinuteField {...{ time, change, describedBy }} /> : <TimeField {...{ time, change, describedBy }} />}
					</>
				)}
				<Choice label={words.zone} value={timezone} choices={zones} choose={(chosen) => change({ timezone: chosen })} isNarrow />
			</div>
			{every === "week" && (
				<fieldset className="days" aria-label={words.days}>
					{/* The week begins on Monday. */}
					{[1, 2, 3, 4, 5, 6, 0].map((day) => (
						<label key={day}>
							<input
								type="checkbox"
								checked={days.includes(day)}
								onChange={() => change({ days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day] })}
							/>
							<span>{words.dayNames[day]}</span>
						</label>
					))}
				</fieldset>
			)}
		</>
	);
}

type TimeFieldProps = Pick<PlanDraft, "time"> & Pick<WhenFieldsProps, "change" | "describedBy">;

function TimeField({ time, change, describedBy }: TimeFieldProps) {
	return (
		<input
			type="time"
			className="in fit"
			aria-label={words.time}
			aria-describedby={describedBy}
			aria-invalid={describedBy !== undefined && !isTime(time)}
			value={time}
			onChange={(event) => change({ time: event.target.value })}
		/>
	);
}

/** The minute of `time`. The hour is kept in case the user then chooses a schedule that needs it, such as every day. */
function MinuteField({ time, change, describedBy }: TimeFieldProps) {
	const [hour, minute = ""] = time === "" ? ["00"] : time.split(":");
	return (
		<input
			type="number"
			className="in fit"
			min={0}
			max={59}
			aria-label={words.minute}
			aria-describedby={describedBy}
			aria-invalid={describedBy !== undefined && !isTime(time)}
			value={withoutZeros(minute)}
			onChange={({ target: { value } }) => change({ time: `${hour}:${value === "" ? "" : withoutZeros(value).padStart(2, "0")}` })}
		/>
	);
}

function withoutZeros(number: string): string {
	return number.replace(/^0+(?=\d)/, "");
}
