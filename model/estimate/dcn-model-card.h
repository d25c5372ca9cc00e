/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MODEL_CARD_H
#define DCN_MODEL_CARD_H

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief What a trained model says of itself: card.json, sections of entries with texts and
 * numbers.
 *
 * A card of format version 2 says where the model comes from: section "origin" (SetOrigin) and a
 * section "data_1", "data_2" etc. for each data set that it was trained with (AddData). Both are
 * complete, or the card is refused. A card of version 1 has neither: it is of release 0.1, or of a
 * model that was not trained. The format is in doc/schema.rst.
 */
class DcnModelCard
{
  public:
    static constexpr uint32_t VERSION = 2;                //!< of cards with an origin
    static constexpr uint32_t VERSION_WITHOUT_ORIGIN = 1; //!< of others

    /// Keys and values of entries.
    using Entries = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param kind what code the model is for, e.g. "m4"
     */
    explicit DcnModelCard(const std::string& kind);

    /**
     * @brief Read a card.
     * @param path of card.json
     * @param kind what the model must be for
     * @return the card
     * @throws DcnError if it cannot be read, is of another kind or format version, or its origin is
     * not complete
     */
    static DcnModelCard Read(const std::string& path, const std::string& kind);

    /**
     * @brief Write the card.
     * @param out gets it
     * @param format further entries of the section "model", which is about the files
     * @throws DcnError if the origin is not complete
     */
    void Write(std::ostream& out, const Entries& format = {}) const;

    /** @return "models/m4/card.json: ", the prefix of all sentences about a card that was read. */
    const std::string& Where() const;

    /** @return what code the model is for. */
    const std::string& GetKind() const;

    /**
     * @brief Set an entry of the card; an entry of that name is replaced.
     * @param section e.g. "architecture", "training", "errors"
     * @param key unique in the section
     * @param text the value
     */
    void Set(const std::string& section, const std::string& key, const std::string& text);
    /** @copydoc Set(const std::string&,const std::string&,const std::string&) */
    void Set(const std::string& section, const std::string& key, double number);

    /**
     * @brief Say when and how the model was made, with this release, today.
     * @param command that made it, without what machine it ran on (DcnDescribeCommand)
     * @param engineDigest of what simulated the data that it was trained with
     */
    void SetOrigin(const std::string& command, const std::string& engineDigest);

    /**
     * @brief Add a data set that the model was trained with, as section "data_1", "data_2" etc.
     * @param entries all that a data set must say (doc/schema.rst), and more
     * @param samples number of samples
     */
    void AddData(const Entries& entries, uint64_t samples);

    /**
     * @brief Remove a section of the card; it may not be there.
     * @param section e.g. "errors"
     */
    void Remove(const std::string& section);

    /**
     * @param section of the card
     * @param key of the entry
     * @return its value as text
     * @throws DcnError if there is no such entry
     */
    const std::string& GetText(const std::string& section, const std::string& key) const;

    /**
     * @param section of the card
     * @param key of the entry
     * @return its value, a finite number
     * @throws DcnError if there is no such entry or it is something else
     */
    double GetNumber(const std::string& section, const std::string& key) const;

    /**
     * @param section of the card
     * @return keys and values of its entries as text; empty if there is no such section
     */
    Entries GetSection(const std::string& section) const;

  protected:
    static const char* const FORMAT_SECTION; //!< "model", which is about the files

  private:
    /// An entry of the card.
    struct Entry
    {
        std::string section; //!< where it is
        std::string key;     //!< its name
        std::string value;   //!< its value as text
        bool number;         //!< written without quotes
    };

    void SetEntry(const Entry& entry);
    const Entry& Find(const std::string& section, const std::string& key) const;
    /// Refuses an origin that is not complete, or data of other simulations than it says.
    void CheckOrigin() const;

    std::string m_kind;           //!< see GetKind
    std::string m_where;          //!< see Where
    std::vector<Entry> m_entries; //!< the card
};

} // namespace ns3

#endif /* DCN_MODEL_CARD_H */
