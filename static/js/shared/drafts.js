// What is typed beside an answer, such as a question or a remark: kept in this browser until it is sent.

export class Drafts {
  /** @param {Storage|null} storage  @param {string} person whose drafts they are */
  constructor(storage, person) {
    Object.assign(this, { storage, person, held: new Map() });
  }

  key(what, about) {
    return `assay:draft:${this.person}:${what}:${about}`;
  }

  read(what, about) {
    const key = this.key(what, about);
    try {
      return this.storage.getItem(key) ?? this.held.get(key) ?? "";
    } catch {
      return this.held.get(key) ?? ""; // kept as long as the page is
    }
  }

  write(what, about, text) {
    const key = this.key(what, about);
    this.held.set(key, text);
    try {
      if (text === "") this.storage.removeItem(key);
      else this.storage.setItem(key, text);
    } catch {
      // kept as long as the page is
    }
  }
}
