// Finding a word by its first letters: what is typed after a slash, for as long as one goes on typing.

const PAUSE = 1500; // ms after which a new search begins

export class WordSearch {
  /** @param {function} notice (text)  @param {function} find (beginning, isFirst): whether there is such a word, which is gone to */
  constructor(notice, find) {
    Object.assign(this, { notice, find, typed: "", timer: null });
  }

  get isOn() {
    return this.typed !== "";
  }

  begin() {
    this.typed = "/";
    this.notice("Find: type the beginning of a word.");
    this.waitForMore();
  }

  add(letter) {
    return this.look(this.typed + letter.toLowerCase());
  }

  takeBack() {
    return this.look(this.typed.slice(0, -1));
  }

  /** @param {string} typed a slash and the beginning of a word  @returns {boolean} true: the key was for the search */
  look(typed) {
    this.typed = typed;
    const wanted = typed.slice(1);
    if (wanted === "") {
      this.end();
      this.notice("");
      return true;
    }
    this.notice(this.find(wanted, wanted.length === 1) ? `Find: ${wanted}` : `No word begins with “${wanted}”.`);
    this.waitForMore();
    return true;
  }

  waitForMore() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.end();
      this.notice("");
    }, PAUSE);
  }

  end() {
    window.clearTimeout(this.timer);
    this.typed = "";
  }
}
