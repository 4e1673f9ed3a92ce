import { noticeWords } from "../../strings/page/notice-words.ts";
import { Store, useStore } from "../connection/store.ts";
import { setPreferences } from "../state/preferences.ts";
import { askForNotices } from "./system-notice.ts";

const offered = new Store(false);

/** Offers system notifications. Once the user has answered, the offer is never repeated. */
export function offerNotices(): void {
	offered.set(true);
}

/** The offer is at the bottom of the list, where it does not cover anything that the user reads or answers. */
export function NoticeOffer() {
	if (!useStore(offered)) return null;
	const close = () => {
		setPreferences({ noticesOffered: true });
		offered.set(false);
	};
	const allow = () => {
		close();
		setPreferences({ notices: true });
		void askForNotices();
	};
	return (
		<section className="offer" aria-label={noticeWords.title}>
			<p>{noticeWords.offer}</p>
			<div className="flex">
				<button type="button" className="btn pri" onClick={allow}>
					{noticeWords.ask}
				</button>
				<button type="button" className="btn quiet" onClick={close}>
					{noticeWords.notNow}
				</button>
			</div>
		</section>
	);
}
