import type { ClaimWords } from "./claim-words.ts";

/** Phrases about a plan that was sent or saved. Elsewhere, "plan" denies that anything was done: "I plan to", "the plan is". */
const plans =
	"sent emailed e-mailed mailed shared created saved wrote written updated deployed published posted deleted removed with in as to of"
		.split(" ")
		.flatMap((word) => ["the", "a", "your"].map((article) => `${word} ${article} plan`))
		.join(" | ");

export const english: ClaimWords = {
	self: "i we i've we've ive weve xworkmate assistant",
	other: "you you've he she they they've who which someone somebody nobody everyone",
	passive: "been was were is are it's that's got gets being be",
	made: "created made updated added saved written wrote changed edited generated exported uploaded renamed moved finished completed complete done fixed modified configured implemented installed removed merged copied stored replaced built inserted recorded committed pushed put",
	acted:
		"scheduled rescheduled deleted erased sent resent emailed e-mailed mailed messaged texted notified booked reserved reminded cancelled canceled paid refunded transferred purchased bought ordered posted published tweeted deployed released launched restarted rebooted submitted invited confirmed arranged set closed reopened assigned archived unsubscribed subscribed enabled disabled activated deactivated revoked rotated accepted forwarded replied shared dispatched delivered registered charged withdrew withdrawn placed executed performed processed issued shipped blocked called succeeded",
	own: "ran re-ran reran run rerun backed rolled opened signed restored dropped reverted migrated upgraded verified validated tested retested double-checked triple-checked cross-checked informed",
	selfDone: "",
	off: "not no never none nothing neither nor cannot can't can could will i'll we'll you'll it'll won't would i'd we'd shall should may might must unable failed fail fails failing failure denied refused rejected impossible unsuccessful unsuccessfully hardly let's let please want wants need needs going about ready able pending waiting awaiting almost partially supposed planned plan planning to-do todo ain't cant wont dont didnt havent hasnt wasnt couldnt unfortunately",
	condition: "if whether unless once when whenever until after before how what where why suppose assuming",
	reading:
		"found find see saw noticed read looked according shows show showed says said states stated lists listed reports reported mentions",
	past: "yesterday last originally previously usually currently next ago earlier formerly first",
	text: "below above here here's following draft summary explanation example examples overview translation outline comparison suggestion suggestions answer response snippet paragraph poem story essay joke sentence sentences",
	thing:
		"reminder meeting appointment event alarm email e-mail mail message invitation invite payment invoice booking reservation ticket issue order post tweet calendar flight room table deployment migration installation upgrade rollout rollback release transfer refund subscription account user call notification task record entry file",
	determiner: "the a an your my our their his her its this these those any each every some no newly recently of",
	lead: "successfully now just also already and all have has been everything it's that's i've finally great ok okay yes sure alright perfect",
	after:
		"the a an your my our this these that it them to for in on at from with as successfully all both every three two one him her everything now",
	and: "and or",
	but: "but however although though so then yet because since",
	by: "by",
	common: "create the a an of to in on at for with this that it my your me us from have has had do does there here",
	phrases:
		"all set | all done | scheduling complete | deployment complete | booking complete | in your calendar now | on your calendar now | now in your calendar | now on your calendar | it's in your calendar | it is in your calendar | it's on your calendar | it is on your calendar | that's in your calendar | taken care of | it's live | post is live | site is live | version is live | now live | is live now | is now live | went out to | mail went out | email went out | message went out | has gone out | have gone out | went through | mission accomplished | consider it done | you're booked | you are booked | is on its way | is off your calendar | took care of | has been carried out as | you asked for has been carried out | got rid of | call succeeded | action succeeded | request succeeded | it succeeded | status succeeded | tool.call.succeeded",
	harmless: `no problem | no problems | no errors | no error | no issues | no issue | not only | no worries | no longer | if you like | as requested | as you asked | as asked | as planned | as agreed | ${plans}`,
	target:
		"file document doc report spreadsheet sheet table list row column page site website version branch code script commit build patch fix test folder draft note change update version comment label project database server setting contact group channel playlist song light door package parcel product item cart form application request answer response reply question membership plan policy key token password photo image picture video presentation slide chart backup job step pipeline session container ride taxi dinner lunch restaurant hotel money amount fund funds fee gift deletion scheduling call action status article pr prs",
	yours: "your my our yours",
	told: "notified invited reminded emailed e-mailed mailed messaged texted informed",
	place: "in at on from near across during between around within after through throughout worldwide online",
	team: "the a an both two three four five several many all its their his her",
	describing:
		"is called | are called | was called | were called | is made of | are made of | made from | made in | is made with | are made with | made up of | is built around | is built on | are built on | set in | set between | set among | set on | placed among | finished with | edited for | updated every | updated daily | progress was made | on monday | on tuesday | on wednesday | on thursday | on friday | on saturday | on sunday",
};
